import { randomBytes, timingSafeEqual } from "node:crypto";
import { keyedHash, keyedHashes } from "@/lib/platform/crypto/secrets";

/** The header in which a program gets its poll secret, and sends it back (contract, section 4: poll secret). */
export const SECRET_HEADER = "Link-Secret";

const BYTES = 32;
/** Longer than any of our secrets; a longer value cannot be one. */
const MAX = 64;
const NONE = Buffer.alloc(32);

/**
 * Begins the secrets of programs that know OAuth's device flow, and is no part of their device codes: so nobody redeems
 * as one the poll secret of /link/code, whose token may be the account's.
 */
export const DEVICE = "device ";

/** 256 bits from a CSPRNG, base64url: only for the program that got the code. */
export function newPollSecret(): string {
  return randomBytes(BYTES).toString("base64url");
}

/** The stored hash of a poll secret. */
export function hashPollSecret(secret: string): string {
  return keyedHash("link secrets", secret);
}

/** Whether `input` has this hash. Takes equally long without a hash. */
export function isPollSecret(input: string, storedHash: string | null): boolean {
  const stored = storedHash === null ? NONE : Buffer.from(storedHash, "hex");
  let isRight = false;
  for (const hash of keyedHashes("link secrets", input.slice(0, MAX)))
    isRight = timingSafeEqual(Buffer.from(hash, "hex"), stored) || isRight;
  return isRight && storedHash !== null;
}
