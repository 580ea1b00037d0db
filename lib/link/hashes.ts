import { db, type Prisma } from "@/lib/db/client";
import { formerKeyedHashes, keyedHash, keyedHashes } from "@/lib/secrets";
import type { LinkMask } from "@/prisma/generated/sqlite/client";

/** The stored hash of a code. A plain hash of 24⁶ codes could be reversed in under a second. */
export function hashCode(letters: string): string {
  return keyedHash("link codes", letters);
}

/** The hashes of a code's six masks, each with its column. */
export type Masks = Pick<LinkMask, `mask${1 | 2 | 3 | 4 | 5 | 6}`>;

/**
 * Six hashes, each of the code with one letter masked. Two codes that differ in one letter, and only such, share one;
 * two equal codes share all (contract, section 4: distance).
 */
export function hashMasks(letters: string): Masks {
  const masks = masksOf(letters).map((mask, n) => [`mask${n + 1}`, first64Bits(keyedHash("link masks", mask))]);
  return Object.fromEntries(masks) as Masks;
}

/** Codes that are less than two letters from this one, if stored while one of these secrets was the first. */
export function closeTo(letters: string, secrets: "all secrets" | "former secrets"): Prisma.LinkMaskWhereInput {
  const hashes = secrets === "all secrets" ? keyedHashes : formerKeyedHashes;
  return {
    OR: masksOf(letters).map((mask, n) => ({ [`mask${n + 1}`]: { in: hashes("link masks", mask).map(first64Bits) } })),
  };
}

/** The hashes of the code under the other secrets of AUTH_SECRET, if stored while one of them was the first. */
export function formerHashes(letters: string): string[] {
  return formerKeyedHashes("link codes", letters);
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

/** 64 bits are enough: where two hashes begin alike by chance, letters are drawn again. */
export const first64Bits = (hash: string) => BigInt.asIntN(64, BigInt(`0x${hash.slice(0, 16)}`));
