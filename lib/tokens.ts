import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { derivedKey, keyedHash } from "./secrets";

const TOKEN = /^lk_[A-Za-z0-9_-]{43}$/;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** What the database keeps of a token: nothing that can be used without AUTH_SECRET. */
export interface StoredToken {
  tokenHash: string;
  tokenSealed: string;
}

/** A new token of 256 random bits, and what to store of it. The sealed form opens for this user only. */
export function mintToken(userId: string): { token: string; stored: StoredToken } {
  const token = `lk_${randomBytes(32).toString("base64url")}`;
  return { token, stored: { tokenHash: hashToken(token), tokenSealed: seal(token, userId) } };
}

/** Whether `text` could be a token at all. */
export function looksLikeToken(text: string): boolean {
  return TOKEN.test(text);
}

/** The look-up value of a token (contract, section 4: "at rest"). */
export function hashToken(token: string): string {
  return keyedHash("token look-up", token);
}

/** The token itself, to hand it to its user. Throws when it was sealed for another user or under another secret. */
export function openToken(tokenSealed: string, userId: string): string {
  const sealed = Buffer.from(tokenSealed, "base64");
  const decipher = createDecipheriv("aes-256-gcm", derivedKey("token sealing"), sealed.subarray(0, NONCE_BYTES));
  decipher.setAAD(Buffer.from(userId));
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString("utf8");
}

function seal(token: string, userId: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", derivedKey("token sealing"), nonce);
  cipher.setAAD(Buffer.from(userId));
  const text = Buffer.concat([cipher.update(token, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString("base64");
}
