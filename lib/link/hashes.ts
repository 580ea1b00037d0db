import { db } from "@/lib/db/client";
import { formerKeyedHashes, keyedHash, keyedHashes } from "@/lib/secrets";

/** The stored hash of a code. A plain hash of 24⁶ codes could be reversed in under a second. */
export function hashCode(letters: string): string {
  return keyedHash("link codes", letters);
}

/**
 * Six hashes, each of the code with one letter masked. Two codes that differ in one letter, and only such, share one;
 * two equal codes share all (contract, section 4: distance).
 */
export function hashMasks(letters: string): string[] {
  return masksOf(letters).map((mask) => keyedHash("link masks", mask));
}

/**
 * The hashes of the code and its masks under the other secrets of AUTH_SECRET, if stored while one of them was the
 * first.
 */
export function formerHashes(letters: string): { codes: string[]; masks: string[] } {
  return {
    codes: formerKeyedHashes("link codes", letters),
    masks: masksOf(letters).flatMap((mask) => formerKeyedHashes("link masks", mask)),
  };
}

/**
 * The hash that this code is stored under, if it exists. A lookup is needed only while AUTH_SECRET names several
 * secrets.
 */
export async function storedCodeHash(letters: string): Promise<string> {
  const [hash, ...former] = keyedHashes("link codes", letters);
  if (former.length === 0) return hash;
  const link = await db.linkCode.findFirst({
    where: { codeHash: { in: [hash, ...former] } },
    select: { codeHash: true },
  });
  return link?.codeHash ?? hash;
}

const masksOf = (letters: string) =>
  Array.from(letters, (_, position) => `${letters.slice(0, position)}?${letters.slice(position + 1)}`);
