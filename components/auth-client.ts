/** Loads NextAuth's client: a page that only might sign somebody in or out opens without it. */
export const authClient = () => import("next-auth/react");
