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
const CLAIM_KEY = "latchkey-claim";

/** The secret of the link with which this page was opened, or with which it was before signing in. */
export function claimSecret(): string {
  return linkSecret() || (window.sessionStorage.getItem(CLAIM_KEY) ?? "");
}

/** Whether the user comes back from signing in, so that no scanner is here. The address then has no secret. */
export function hasStoredClaim(): boolean {
  return linkSecret() === "" && window.sessionStorage.getItem(CLAIM_KEY) !== null;
}

/** Stores it for when its user comes back from signing in. */
export function keepClaimSecret(secret: string): void {
  window.sessionStorage.setItem(CLAIM_KEY, secret);
}

export function forgetClaimSecret(): void {
  window.sessionStorage.removeItem(CLAIM_KEY);
}

/** Where this tab stores a code that was entered, but not submitted, while its user signs in. */
const CODE_KEY = "latchkey-code";

/** Stores what is in the field of the page, for when its user comes back from signing in. */
export function storeCodeInput(): void {
  const input = document.querySelector<HTMLInputElement>("input[name=code]")?.value;
  if (input) window.sessionStorage.setItem(CODE_KEY, input);
}

/** What was stored, once. */
export function consumeCodeInput(): string {
  const input = window.sessionStorage.getItem(CODE_KEY) ?? "";
  window.sessionStorage.removeItem(CODE_KEY);
  return input;
}
