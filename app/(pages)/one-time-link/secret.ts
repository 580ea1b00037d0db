/** A secret as it was made: 256 bits in base64url. */
const SECRET = /[\w-]{43}/;
/** What a message that was wrapped, or a program that copies, leaves between letters. */
const BETWEEN = /[\s\p{Cf}]/gu;

/**
 * The secret of the link that is in the address; empty if there is none. What mail programs and messengers add to it
 * is left out: encoding, line breaks, and what stood behind the link.
 */
export function linkSecret(): string {
  const text = decoded(window.location.hash.slice(1)).replace(BETWEEN, "");
  return SECRET.exec(text)?.[0] ?? text;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Where this tab stores the secret while its user signs in: the address of that page must not have it. */
const STORAGE_KEY = "latchkey-claim";

/** The secret of the link with which this page was opened, or with which it was before signing in. */
export function claimSecret(): string {
  return linkSecret() || (window.sessionStorage.getItem(STORAGE_KEY) ?? "");
}

/** Whether the user comes back from signing in, so that no scanner is here. The address then has no secret. */
export function hasStoredClaim(): boolean {
  return linkSecret() === "" && window.sessionStorage.getItem(STORAGE_KEY) !== null;
}

/** Stores it for when its user comes back from signing in. */
export function keepClaimSecret(secret: string): void {
  window.sessionStorage.setItem(STORAGE_KEY, secret);
}

export function forgetClaimSecret(): void {
  window.sessionStorage.removeItem(STORAGE_KEY);
}
