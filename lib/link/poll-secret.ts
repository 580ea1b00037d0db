import { randomBytes, timingSafeEqual } from "node:crypto";
import { keyedHash, keyedHashes } from "@/lib/secrets";

/** The header in which a program gets its poll secret, and sends it back (contract, section 4: poll secret). */
export const SECRET_HEADER = "Link-Secret";

const BYTES = 32;
/** Longer than any of ours, so that a longer one is none of them. */
const LONGEST = 64;
const NONE = Buffer.alloc(32);

/** 256 bits from a CSPRNG, base64url: what only the program that asked for a code knows. */
export function newPollSecret(): string {
  return randomBytes(BYTES).toString("base64url");
}

/** What the database keeps of it. */
export function hashPollSecret(secret: string): string {
  return keyedHash("link secrets", secret);
}

/** Whether `sent` is the one with this hash. Takes as long where there is none. */
export function isPollSecret(sent: string, storedHash: string | null): boolean {
  const stored = storedHash === null ? NONE : Buffer.from(storedHash, "hex");
  let isRight = false;
  for (const hash of keyedHashes("link secrets", sent.slice(0, LONGEST))) isRight = timingSafeEqual(Buffer.from(hash, "hex"), stored) || isRight;
  return isRight && storedHash !== null;
}
