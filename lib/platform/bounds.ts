// Bounds and times that pages state, too. Browsers load this file, so it imports nothing but units of time.
import { DAY_MS, HOUR_MS } from "./time";

/** For how long a proof counts: signing in, the password, or a passkey. */
export const PROOF_MS = 10 * 60_000;

/** For how long a link that works once can be used. */
export const LINK_HOURS = 24;

/** For so long, strangers who request another recovery link do not end the one that was sent. */
export const UNDISTURBED_MS = 20 * 60_000;

/** How many recovery codes a user gets at a time. */
export const RECOVERY_CODES = 10;

/** Characters of a password at least. */
export const MIN_PASSWORD = 8;

/** Characters of a username (contract, section 1: username). */
export const MIN_USERNAME = 3;
export const MAX_USERNAME = 20;

/** Characters of a key's name at most. */
export const KEY_NAME_LENGTH = 100;

/** The end of an access is news for its holder from so long before. */
export const ENDS_SOON_MS = 7 * DAY_MS;

/** Users who can be added to a key, or revoked from it, in one request. */
export const MAX_NAMES = 500;

/** How many claim links can be created at a time, and how many people can claim with one. */
export const MAX_LINKS = 10_000;

/**
 * For how long one version of a document can be read, whatever is written meanwhile, and what was deleted restored.
 * After this time, a download is cut and what it reads may be swept (contract, section 3: consistency).
 */
export const MAX_DOWNLOAD_MS = 6 * HOUR_MS;

/** Events of one kind that the audit trail lists of an account in a day (UTC). It counts further ones by the hour. */
export const ACCOUNT_EVENTS_A_DAY = 5_000;

/** How often a running service sweeps. */
export const SWEEP_EVERY_MS = 5 * 60_000;

/** Longest address of all: 64 KiB of key data, percent-encoded (contract, section 1: URL length). */
export const ADDRESS_BYTES = 262_144;

/** Folders of one folder that the tree of "Move" shows. */
export const MAX_IN_TREE = 1_000;

/** JSON text of an imported entry's name, type, location or id: they are held in memory, other values are streamed. */
export const MAX_PART_BYTES = 64 * 1_024;

/** A message that could not be sent for so long is given up. */
export const GIVE_UP_MS = DAY_MS;

/** Characters of an audience, the server to which a validator proves who its user is, and of a nonce. */
export const MAX_AUDIENCE = 200;

/** For how long a validator is valid. */
export const VALIDATOR_SECONDS = 300;

/** The longest that a proof of access may be valid (PROOF_DAYS). */
export const MAX_PROOF_DAYS = 90;

/** The accuracy of "last seen". */
export const SEEN_WITHIN_SECONDS = 3_600;

const UNITS = Object.entries({ day: 86_400, hour: 3_600, minute: 60, second: 1 });
const SMALL = "no one two three four five six seven eight nine ten eleven twelve".split(" ");

/** A number as texts have it: "ten", "1,000". */
export const countInWords = (count: number) => SMALL[count] ?? count.toLocaleString("en");

/** A number with its noun: "1 key", "1,000 keys". */
export function counted(number: number, one: string, many: string): string {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

/** The number of files and folders that people see: all stored entries except the root folder. */
export const seenOf = (entries: number) => Math.max(0, entries - 1);

/** The same in words. */
export const entriesInWords = (entries: number) => counted(seenOf(entries), "file or folder", "files and folders");

/** A duration as texts have it: "ten minutes", "24 hours", "an hour". Only one day is said in hours. */
export function durationInWords(seconds: number): string {
  const fits = ([unit, length]: [string, number]) =>
    seconds % length === 0 && seconds >= (unit === "day" ? 2 : 1) * length;
  const [unit = "second", length = 1] = UNITS.find(fits) ?? [];
  const count = seconds / length;
  return count === 1 ? `${unit === "hour" ? "an" : "a"} ${unit}` : `${countInWords(count)} ${unit}s`;
}

/** Of a stranger's call of a page: a name, a password and a code, each as long as may be and every letter escaped. */
export const STRANGERS_BYTES = 4 * 1_024;

/** An authenticator's response, with every field as long as lib/accounts/passkeys takes it. */
export const PASSKEY_BYTES = 16 * 1_024;
