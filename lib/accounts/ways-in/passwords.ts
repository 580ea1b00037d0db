import { hash, verify } from "@node-rs/argon2";
import { OPERATOR } from "@/lib/platform/audit";
import { MIN_PASSWORD } from "@/lib/platform/bounds";
import { db } from "@/lib/platform/db/client";
import { invalidParameter } from "@/lib/platform/errors";
import { perProcess } from "@/lib/platform/process";
import { Queue } from "@/lib/platform/queue";
import { clientSignal } from "@/lib/platform/request";
import { hashingBusy } from "../errors";

let common: Promise<Set<string>> | undefined;

/** Whether this is one of the 49,000 most common passwords, ignoring case. The list is loaded on first use. */
export async function isCommonPassword(password: string): Promise<boolean> {
  common ??= import("@zxcvbn-ts/language-common").then(({ dictionary }) => new Set(dictionary["passwords-common"]));
  return (await common).has(password.toLowerCase());
}

const MAX_PASSWORD = 200;

// Argon2id, version 1.3, with the parameters that OWASP's password storage cheat sheet recommends.
const ARGON2ID = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Compared with the password if there is no hash: the hash of discarded random bytes. */
const DECOY = "$argon2id$v=19$m=19456,t=2,p=1$0SNG8Bn7uH2FvQb2bCtUlA$RKxwGe0feCNU7lWYdD4veke0Sq6W1BaeXUN82RlDMj4";

// A hash takes one core for tens of milliseconds: at most two at a time, so that signing in cannot starve everything
// else. One network keeps these two busy for less than a second, and all waiting ones for less than ten.
const queue = perProcess("hashing", () => {
  const ofName = [{ count: 32 }, { count: 64 }, { count: 64 }];
  return new Queue({ ofAll: { count: 2 } }, { ofName, ofAll: { count: 256 }, refusal: hashingBusy });
});

/** For whom a hash is computed: names of networks, from narrow to wide, of which the widest takes turns with others. */
export type HashedFor = readonly [string, ...string[]];

/** The admin command hashes in its own process. */
export const BY_OPERATOR: HashedFor = [OPERATOR];

/** Waits for a turn. Throws 429 `hashing_busy` if too many wait or the client has disconnected. */
const inTurn = <T>(whom: HashedFor, work: () => Promise<T>) => queue.run(whom, work, clientSignal());

/** Checks only the length and that it is not a common password. Throws 400 `invalid_parameter`. */
export async function checkPassword(password: string): Promise<void> {
  // A character is one or two of these units.
  const length = password.length > 2 * MAX_PASSWORD ? password.length : [...password].length;
  if (length < MIN_PASSWORD)
    throw invalidParameter(`A password needs at least ${MIN_PASSWORD} characters.`, "password");
  if (length > MAX_PASSWORD)
    throw invalidParameter(`A password can have ${MAX_PASSWORD} characters at most.`, "password");
  if (await isCommonPassword(password))
    throw invalidParameter(
      "That is one of the most common passwords, so it is easy to guess. Choose another.",
      "password",
    );
}

/** The Argon2id hash to store, as a PHC string. Throws 429 `hashing_busy` if too many wait. */
export function hashPassword(password: string, whom: HashedFor): Promise<string> {
  return inTurn(whom, () => hash(normal(password), ARGON2ID));
}

/**
 * Whether the password matches `stored`. Takes equally long without a hash, so that nobody learns who exists. Throws as
 * `hashPassword` does.
 */
export async function verifyPassword(stored: string | null, password: string, whom: HashedFor): Promise<boolean> {
  const matches = await inTurn(whom, () => verify(stored ?? DECOY, normal(password.slice(0, 4 * MAX_PASSWORD))));
  return matches && stored !== null;
}

/** The same letters typed on different keyboards are the same password (RFC 8265, section 4: NFC). */
function normal(password: string): string {
  return password.normalize("NFC");
}

/** Longer than a password's: who has the backup may guess for years, with nothing in the way but its cost. */
const MIN_PASSPHRASE = 12;
const MAX_PASSPHRASE = 1_000;

/** Checks the length of a new passphrase, and that it is not a common password. Throws 400 `invalid_parameter`. */
export async function checkPassphrase(passphrase: string): Promise<void> {
  const length = [...passphrase].length;
  if (length < MIN_PASSPHRASE)
    throw invalidParameter(`A passphrase needs at least ${MIN_PASSPHRASE} characters: several words are best.`);
  if (length > MAX_PASSPHRASE) throw invalidParameter(`A passphrase can have ${MAX_PASSPHRASE} characters at most.`);
  if (await isCommonPassword(passphrase))
    throw invalidParameter("That is one of the most common passwords, so it is easy to guess. Choose another.");
}

/** The hash of the user's password, or null if there is none. */
export async function passwordHashOf(userId: string): Promise<string | null> {
  const { passwordHash } = await db.user.findUniqueOrThrow({ where: { id: userId }, select: { passwordHash: true } });
  return passwordHash;
}
