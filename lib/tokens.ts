import { randomBytes } from "node:crypto";
import { keyedHash, keyedHashes, seal, unseal } from "./secrets";

const TOKEN = /^lk_[A-Za-z0-9_-]{43}$/;

/** What the database keeps of a token: nothing that can be used without AUTH_SECRET. */
export interface StoredToken {
  tokenHash: string;
  tokenSealed: string;
}

/** A new token of 256 random bits, and what to store of it. The sealed form opens for this user only. */
export function mintToken(userId: string): { token: string; stored: StoredToken } {
  const token = `lk_${randomBytes(32).toString("base64url")}`;
  return { token, stored: storeToken(token, userId) };
}

/** What to store of a token, under the first secret. */
export function storeToken(token: string, userId: string): StoredToken {
  return { tokenHash: hashToken(token), tokenSealed: seal("token sealing", token, userId) };
}

/** Whether `text` could be a token at all. */
export function looksLikeToken(text: string): boolean {
  return TOKEN.test(text);
}

/** The look-up value of a token (contract, section 4: at rest). */
export function hashToken(token: string): string {
  return keyedHash("token look-up", token);
}

/** Every look-up value that the token may have been stored under, while AUTH_SECRET names several secrets. */
export function tokenHashes(token: string): [string, ...string[]] {
  return keyedHashes("token look-up", token);
}

/** The token itself, to hand it to its user. Throws when it was sealed for another user or under another secret. */
export function openToken(tokenSealed: string, userId: string): string {
  return unseal("token sealing", tokenSealed, userId);
}
