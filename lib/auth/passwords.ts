import { hash, verify } from "@node-rs/argon2";
import { ApiError, invalidParameter } from "@/lib/errors";
import { clientGone } from "@/lib/request-user";
import { isCommonPassword } from "./common-passwords";
import { FairQueue } from "./fair-queue";

const SHORTEST = 8;
const LONGEST = 200;

// Argon2id, version 1.3, with the parameters that OWASP's password storage cheat sheet recommends.
const ARGON2ID = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** What a password is compared with where there is none: the hash of random bytes that nobody kept. */
const DECOY = "$argon2id$v=19$m=19456,t=2,p=1$0SNG8Bn7uH2FvQb2bCtUlA$RKxwGe0feCNU7lWYdD4veke0Sq6W1BaeXUN82RlDMj4";

/** One queue per process, not per copy of this module. */
const perProcess = globalThis as typeof globalThis & { latchkeyHashing?: FairQueue };

// A hash takes one core for tens of milliseconds: at most two at a time, so that signing in cannot starve everything else. One
// network keeps these two busy for less than a second, and all that wait for less than ten.
perProcess.latchkeyHashing ??= new FairQueue({ atOnce: 2, waiting: 256, waitingFor: [32, 64, 64] });
const queue = perProcess.latchkeyHashing;

/** Who a hash is made for: names of networks, from narrow to wide, of which the widest takes turns with others. */
export type HashedFor = readonly [string, ...string[]];

const tooMany = () => new ApiError(429, "hashing_busy", "Too many people are signing in right now. Try again in a few seconds.", { "Retry-After": "5" });

/** Waits for a turn. Throws 429 `hashing_busy` where too many wait for one, or the client has gone. */
function inTurn<T>(whom: HashedFor, work: () => Promise<T>): Promise<T> {
  return queue.run(whom, work, tooMany, clientGone());
}

/** Rules by length only, and none of those that everybody tries first. Throws 400 `invalid_parameter`. */
export async function checkPassword(password: string): Promise<void> {
  const length = [...password].length;
  if (length < SHORTEST) throw invalidParameter(`A password needs at least ${SHORTEST} characters.`, "password");
  if (length > LONGEST) throw invalidParameter(`A password can have ${LONGEST} characters at most.`, "password");
  if (await isCommonPassword(password))
    throw invalidParameter("That is one of the passwords that people use most, so it is tried first. Choose another.", "password");
}

/** The Argon2id hash to store, as a PHC string. Throws 429 `hashing_busy` when too many wait for one. */
export function hashPassword(password: string, whom: HashedFor): Promise<string> {
  return inTurn(whom, () => hash(normal(password), ARGON2ID));
}

/**
 * Whether the password is the one behind `stored`. Takes as long where there is none, so that nobody learns who exists. Throws as
 * `hashPassword` does.
 */
export async function verifyPassword(stored: string | null, password: string, whom: HashedFor): Promise<boolean> {
  const matches = await inTurn(whom, () => verify(stored ?? DECOY, normal(password.slice(0, 4 * LONGEST))));
  return matches && stored !== null;
}

/** The same letters typed on different keyboards are the same password (RFC 8265, section 4: NFC). */
function normal(password: string): string {
  return password.normalize("NFC");
}
