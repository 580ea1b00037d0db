import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { keyedHash, keyedHashes, seal, unseal } from "./secrets";

/**
 * The account's token, and one of a program's own: told apart by prefix, and by a checksum that older ones lack, as
 * secret scanners need. A wrong checksum is no error of its own: such a token is unknown like any other.
 */
const ACCOUNT_TOKEN = /^lk_[A-Za-z0-9_-]{43}(?:[A-Za-z0-9]{6})?$/;
const ACCESS_TOKEN = /^lkt_[A-Za-z0-9_-]{43}(?:[A-Za-z0-9]{6})?$/;

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** A new token of 256 random bits, with the CRC-32 of all before it as six digits of base 62. */
function withChecksum(prefix: string): string {
  const token = prefix + randomBytes(32).toString("base64url");
  let [rest, digits] = [crc32(token), ""];
  for (let place = 0; place < 6; place++) {
    digits = BASE62[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return token + digits;
}

/** The stored form of a token: useless without AUTH_SECRET. */
export interface StoredToken {
  tokenHash: string;
  tokenSealed: string;
}

/** A new token of 256 random bits, and its stored form. The sealed form opens for this user only. */
export function mintToken(userId: string): { token: string; stored: StoredToken } {
  const token = withChecksum("lk_");
  return { token, stored: storeToken(token, userId) };
}

/** The stored form of a token, under the first secret. */
export function storeToken(token: string, userId: string): StoredToken {
  return { tokenHash: hashToken(token), tokenSealed: seal("token sealing", token, userId) };
}

/** Whether `text` could be a token at all. */
export function couldBeToken(text: string): boolean {
  return ACCOUNT_TOKEN.test(text) || isAccessToken(text);
}

/** Whether it could be a token of a program's own. */
export function isAccessToken(text: string): boolean {
  return ACCESS_TOKEN.test(text);
}

/** A new token of a program's own, of 256 random bits, and the hash to store. */
export function mintAccessToken(): { token: string; hash: string } {
  const token = withChecksum("lkt_");
  return { token, hash: hashAccessToken(token) };
}

/** The look-up value of such a token. */
export function hashAccessToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Seals such a token until its program has collected it. It opens for this row only. */
export function sealAccessToken(token: string, tokenId: string): string {
  return seal("token sealing", token, `access token ${tokenId}`);
}

/** The token itself. Throws as `openToken` does. */
export function openAccessToken(sealed: string, tokenId: string): string {
  return unseal("token sealing", sealed, `access token ${tokenId}`);
}

/** The look-up value of a token (contract, section 4: at rest). */
export function hashToken(token: string): string {
  return keyedHash("token look-up", token);
}

/** Every look-up value that the token may have been stored under, while AUTH_SECRET names several secrets. */
export function tokenHashes(token: string): [string, ...string[]] {
  return keyedHashes("token look-up", token);
}

/** The token itself, for its user. Throws if it was sealed for another user or under another secret. */
export function openToken(tokenSealed: string, userId: string): string {
  return unseal("token sealing", tokenSealed, userId);
}
