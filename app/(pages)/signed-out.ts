/** What a page says when its user is signed out meanwhile. */
export const SIGNED_OUT = "You are signed out. Sign in again, then repeat this.";
