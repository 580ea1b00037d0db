import { keyedHash } from "@/lib/secrets";

/** What the database keeps of a code. A plain hash of 24⁶ codes would be undone in under a second. */
export function hashCode(letters: string): string {
  return keyedHash("link codes", letters);
}

/**
 * Six hashes, each of the code with one letter masked. Two codes that differ in one letter, and only such, share one;
 * two equal codes share all (contract, section 4: distance).
 */
export function hashMasks(letters: string): string[] {
  return Array.from(letters, (_, position) => keyedHash("link masks", `${letters.slice(0, position)}?${letters.slice(position + 1)}`));
}
