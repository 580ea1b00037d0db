import { linkSecret } from "../one-time-link/secret";

/** Where this tab keeps the secret while its person signs in: the address of that page must not have it. */
const PLACE = "latchkey-claim";

/** The secret of the link with which this page was opened, or with which it was before signing in. */
export function claimSecret(): string {
  return linkSecret() || (window.sessionStorage.getItem(PLACE) ?? "");
}

/** Keeps it for when its person comes back from signing in. */
export function keepClaimSecret(secret: string): void {
  window.sessionStorage.setItem(PLACE, secret);
}

export function forgetClaimSecret(): void {
  window.sessionStorage.removeItem(PLACE);
}
