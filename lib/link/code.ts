import { randomInt } from "node:crypto";
import { formerKeyedHashes, keyedHash, keyedHashes } from "@/lib/platform/crypto/secrets";
import { db, type Prisma } from "@/lib/platform/db/client";
import { ApiError } from "@/lib/platform/errors";
import type { LinkMask } from "@/prisma/generated/sqlite/client";

/** The letters of codes: no I and no O, which resemble other characters (contract, section 4: letters). */
export const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ";
export const CODE_LENGTH = 6;

/** Six letters from a CSPRNG without rude words. */
export function drawCode(): string {
  for (;;) {
    const code = Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
    if (!isRude(code)) return code;
  }
}

/** The code that a program sent, in upper case, or null unless it is exactly six of A to Z. */
export function parseCode(text: string): string | null {
  // ASCII is tested first: "abcdß", five characters, becomes six letters in upper case.
  return /^[A-Za-z]{6}$/.test(text) ? text.toUpperCase() : null;
}

export interface EnteredCode {
  code: string;
  /** Some letters were entered in another script and read as the Latin letters they resemble. */
  isTransliterated: boolean;
}

/**
 * The code that a user entered or pasted on the page; spaces, hyphens and case are ignored. Throws 400
 * `invalid_code` with a sentence that says what is wrong.
 */
export function parseEnteredCode(text: string): EnteredCode {
  const characters = [...text.replace(/[\p{White_Space}\p{Pd}\p{Cf}_]/gu, "")];
  if (characters.length === 0) throw invalidCode("Enter the six letters that the program shows.");
  const read = characters.map((character) => latin(character));
  const strange = characters.find((_, index) => read[index] === undefined);
  if (strange !== undefined) throw invalidCode(`A code has only the letters A to Z, not “${strange}”.`);
  if (read.length !== CODE_LENGTH) throw invalidCode(`A code has six letters; you entered ${read.length}.`);
  const code = read.join("");
  if (/[IO]/.test(code)) throw invalidCode("Codes never contain I or O. Look again: it may be an L, a J, a Q or a D.");
  return { code, isTransliterated: characters.some((character) => !/^[A-Za-z]$/.test(character)) };
}

function latin(character: string): string | undefined {
  if (/^[A-Za-z]$/.test(character)) return character.toUpperCase();
  // Full-width A to Z and a to z have a fixed distance from the plain ones.
  if (/^[\uFF21-\uFF3A\uFF41-\uFF5A]$/.test(character))
    return String.fromCharCode(character.charCodeAt(0) - 0xfee0).toUpperCase();
  return LOOK_ALIKES.get(character) ?? LOOK_ALIKES.get(character.toUpperCase());
}

const pairs = (others: string, ours: string) =>
  [...others].map((letter, index): [string, string] => [letter, ours[index] ?? ""]);

/** Capital letters of keyboards that people forget to switch. */
const LOOK_ALIKES = new Map([
  ...pairs("АВЕКМНОРСТУХЅІЈ", "ABEKMHOPCTYXSIJ"), // Cyrillic
  ...pairs("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"), // Greek
]);

const invalidCode = (sentence: string) => new ApiError(400, "invalid_code", sentence);

// Words of several languages that can be spelled without I and O, three to six letters long. A code that contains one
// is redrawn.
const WORDS = (
  "ANAL ANUS ARSCH ARSE ASS BUM BUTT CRAP CUL CUM CUNT DAMN DEPP FAG FART FCK " +
  "FTZE FUCK FUK FUT GAY HASS HATE HELL HURE JAP JEW JUDE KACK KKK KUNT KYS " +
  "LESB MERDA MERDE NAZ NEGER NEGR NGR NUTTE PEE PHUC PHUK PUSSY PUTA PUTE RAPE SATAN " +
  "SAU SEX SHT SLUT SPAST SUCK SUKA TARD TRANNY TURD TWAT WANK WHRE XXX"
).split(" ");

/** Whether the code, in upper case, contains a word that nobody wants to read out. */
export function isRude(code: string): boolean {
  return WORDS.some((word) => code.includes(word));
}

/** The stored hash of a code. A plain hash of 24⁶ codes could be reversed in under a second. */
export function hashCode(code: string): string {
  return keyedHash("link codes", code);
}

/** The hashes of a code's six masks, each with its column. */
export type Masks = Pick<LinkMask, `mask${1 | 2 | 3 | 4 | 5 | 6}`>;

/**
 * Six hashes, each of the code with one letter masked. Two codes that differ in one letter, and only such, share one;
 * two equal codes share all (contract, section 4: distance).
 */
export function hashMasks(code: string): Masks {
  const masks = masksOf(code).map((mask, n) => [`mask${n + 1}`, first64Bits(keyedHash("link masks", mask))]);
  return Object.fromEntries(masks) as Masks;
}

/** Codes that are less than two letters from this one, if stored while one of these secrets was the first. */
export function closeTo(code: string, secrets: "all secrets" | "former secrets"): Prisma.LinkMaskWhereInput {
  const hashes = secrets === "all secrets" ? keyedHashes : formerKeyedHashes;
  return {
    OR: masksOf(code).map((mask, n) => ({ [`mask${n + 1}`]: { in: hashes("link masks", mask).map(first64Bits) } })),
  };
}

/** The hashes of the code under the other secrets of AUTH_SECRET, if stored while one of them was the first. */
export function formerHashes(code: string): string[] {
  return formerKeyedHashes("link codes", code);
}

/**
 * The hash that this code is stored under, if it exists. A lookup is needed only while AUTH_SECRET names several
 * secrets.
 */
export async function storedCodeHash(code: string): Promise<string> {
  const [hash, ...former] = keyedHashes("link codes", code);
  if (former.length === 0) return hash;
  const link = await db.linkCode.findFirst({
    where: { codeHash: { in: [hash, ...former] } },
    select: { codeHash: true },
  });
  return link?.codeHash ?? hash;
}

const masksOf = (code: string) =>
  Array.from(code, (_, position) => `${code.slice(0, position)}?${code.slice(position + 1)}`);

/** 64 bits are enough: where two hashes begin alike by chance, another code is drawn. */
export const first64Bits = (hash: string) => BigInt.asIntN(64, BigInt(`0x${hash.slice(0, 16)}`));
