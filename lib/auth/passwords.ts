import { hash, verify } from "@node-rs/argon2";
import { Semaphore, type SemaphoreInterface, withTimeout } from "async-mutex";
import { invalidParameter, rateLimited } from "@/lib/errors";
import { isCommonPassword } from "./common-passwords";

const SHORTEST = 8;
const LONGEST = 200;

// Argon2id, version 1.3, with the parameters that OWASP's password storage cheat sheet recommends.
const ARGON2ID = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** What a password is compared with where there is none: the hash of random bytes that nobody kept. */
const DECOY = "$argon2id$v=19$m=19456,t=2,p=1$0SNG8Bn7uH2FvQb2bCtUlA$RKxwGe0feCNU7lWYdD4veke0Sq6W1BaeXUN82RlDMj4";

/** One queue per process, not per copy of this module. */
const perProcess = globalThis as typeof globalThis & { latchkeyHashing?: SemaphoreInterface };

// A hash takes one core for tens of milliseconds: at most two at a time, so that signing in cannot starve everything else.
perProcess.latchkeyHashing ??= withTimeout(new Semaphore(2), 5_000, rateLimited(5, "Too many people are signing in right now. Try again in a few seconds."));
const turn = perProcess.latchkeyHashing;

/** Rules by length only, and none of those that everybody tries first. Throws 400 `invalid_parameter`. */
export async function checkPassword(password: string): Promise<void> {
  const length = [...password].length;
  if (length < SHORTEST) throw invalidParameter(`A password needs at least ${SHORTEST} characters.`);
  if (length > LONGEST) throw invalidParameter(`A password can have ${LONGEST} characters at most.`);
  if (await isCommonPassword(password)) throw invalidParameter("That is one of the passwords that people use most, so it is tried first. Choose another.");
}

/** The Argon2id hash to store, as a PHC string. Throws 429 `rate_limited` when too many wait for one. */
export function hashPassword(password: string): Promise<string> {
  return turn.runExclusive(() => hash(normal(password), ARGON2ID));
}

/** Whether the password is the one behind `stored`. Takes as long where there is none, so that nobody learns who exists. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const matches = await turn.runExclusive(() => verify(stored ?? DECOY, normal(password.slice(0, 4 * LONGEST))));
  return matches && stored !== null;
}

/** The same letters typed on different keyboards are the same password (RFC 8265, section 4: NFC). */
function normal(password: string): string {
  return password.normalize("NFC");
}
