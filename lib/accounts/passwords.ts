import { hash, verify } from "@node-rs/argon2";
import { MIN_PASSWORD } from "@/lib/platform/bounds";
import { hashingBusy, invalidParameter } from "@/lib/platform/errors";
import { perProcess } from "@/lib/platform/process";
import { clientSignal } from "@/lib/platform/request";

let common: Promise<Set<string>> | undefined;

/** Whether this is one of the 49,000 most common passwords, ignoring case. The list is loaded on first use. */
export async function isCommonPassword(password: string): Promise<boolean> {
  common ??= import("@zxcvbn-ts/language-common").then(({ dictionary }) => new Set(dictionary["passwords-common"]));
  return (await common).has(password.toLowerCase());
}

interface QueueLimits {
  /** How many run concurrently. */
  atOnce: number;
  /** How many may wait in total. */
  waiting: number;
  /** How many may wait per name: one limit for each position in the list of names that `run` gets. */
  waitingFor: readonly number[];
}

/** How the wait for a turn ends without one. */
interface Ending {
  refusal: () => Error;
  signal?: AbortSignal;
}

/**
 * Runs a few jobs at a time. The line with the fewest running jobs is next; among those, each takes its turn. So a
 * client with two hundred waiting jobs delays another by one. Jobs beyond the limits are refused immediately; abandoned
 * jobs are dropped.
 */
export class FairQueue {
  /** The waiting jobs by line; the line whose turn is next comes first. */
  readonly #lines = new Map<string, Set<() => void>>();
  readonly #running = new Map<string, number>();
  readonly #waitingFor = new Map<string, number>();
  #waiting = 0;
  #busy = 0;

  constructor(readonly limits: QueueLimits) {}

  /**
   * Returns the result of `work` after its turn. `names`: for whom it waits, from narrow to wide; the widest has turns
   * with others. Throws the error from `refusal` if too many wait or `signal` is aborted.
   */
  async run<T>(names: readonly [string, ...string[]], work: () => Promise<T>, ending: Ending): Promise<T> {
    const line = names.at(-1) ?? names[0];
    if (ending.signal?.aborted) throw ending.refusal();
    if (this.#busy < this.limits.atOnce) this.#start(line);
    else await this.#turn(line, names, ending);
    try {
      return await work();
    } finally {
      // A job that has just ended still counts, so that another line goes first.
      this.#next();
      this.#busy--;
      count(this.#running, line, -1);
    }
  }

  #start(line: string): void {
    this.#busy++;
    count(this.#running, line, 1);
  }

  #turn(line: string, names: readonly string[], { refusal, signal }: Ending): Promise<void> {
    const isFull = names.some(
      (name, index) => (this.#waitingFor.get(name) ?? 0) >= (this.limits.waitingFor[index] ?? 0),
    );
    if (isFull || this.#waiting >= this.limits.waiting) throw refusal();
    return new Promise((resolve, reject) => {
      const waiting = this.#lines.get(line) ?? new Set();
      const leave = () => {
        waiting.delete(start);
        if (waiting.size === 0) this.#lines.delete(line);
        this.#waiting--;
        for (const name of names) count(this.#waitingFor, name, -1);
        signal?.removeEventListener("abort", drop);
      };
      const start = () => {
        leave();
        this.#start(line);
        resolve();
      };
      const drop = () => {
        leave();
        reject(refusal());
      };
      this.#lines.set(line, waiting.add(start));
      this.#waiting++;
      for (const name of names) count(this.#waitingFor, name, 1);
      signal?.addEventListener("abort", drop);
    });
  }

  #next(): void {
    const lines = [...this.#lines.keys()];
    const runningOf = (line: string) => this.#running.get(line) ?? 0;
    const least = Math.min(...lines.map(runningOf));
    const line = lines.find((one) => runningOf(one) === least);
    const waiting = line === undefined ? undefined : this.#lines.get(line);
    if (line === undefined || waiting === undefined) return;
    // To the end of the round.
    this.#lines.delete(line);
    this.#lines.set(line, waiting);
    const [start] = waiting;
    start?.();
  }
}

function count(counts: Map<string, number>, name: string, more: number): void {
  const sum = (counts.get(name) ?? 0) + more;
  if (sum > 0) counts.set(name, sum);
  else counts.delete(name);
}

const MAX_PASSWORD = 200;

// Argon2id, version 1.3, with the parameters that OWASP's password storage cheat sheet recommends.
const ARGON2ID = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Compared with the password if there is no hash: the hash of discarded random bytes. */
const DECOY = "$argon2id$v=19$m=19456,t=2,p=1$0SNG8Bn7uH2FvQb2bCtUlA$RKxwGe0feCNU7lWYdD4veke0Sq6W1BaeXUN82RlDMj4";

// A hash takes one core for tens of milliseconds: at most two at a time, so that signing in cannot starve everything
// else. One network keeps these two busy for less than a second, and all waiting ones for less than ten.
const queue = perProcess("hashing", () => new FairQueue({ atOnce: 2, waiting: 256, waitingFor: [32, 64, 64] }));

/** For whom a hash is computed: names of networks, from narrow to wide, of which the widest takes turns with others. */
export type HashedFor = readonly [string, ...string[]];

/** Waits for a turn. Throws 429 `hashing_busy` if too many wait or the client has disconnected. */
function inTurn<T>(whom: HashedFor, work: () => Promise<T>): Promise<T> {
  return queue.run(whom, work, { refusal: hashingBusy, signal: clientSignal() });
}

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
