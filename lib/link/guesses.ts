import { env } from "@/lib/env";
import { rateLimited } from "@/lib/errors";
import { limiter } from "@/lib/limits";
import type { Network } from "@/lib/network";
import { networkLimiter } from "@/lib/network-limits";
import { shortMemory } from "@/lib/short-memory";
import type { Asker } from "./asker";
import { APPROVE_WITHIN_SECONDS, COLLECT_WITHIN_SECONDS } from "./lifetimes";
import { auditRefusal, isUnlimited } from "./strangers";

const POLLS_WINDOW_SECONDS = 5;
export const GUESS_WINDOW_SECONDS = 10 * 60;
/** Longer than the time from issuing a code to the last moment when it can be collected. */
const ASKED_FOR_SECONDS = APPROVE_WITHIN_SECONDS + COLLECT_WITHIN_SECONDS + 5 * 60;
/** After this many different refused codes beyond its limit, a network counts as a guesser's. */
export const REFUSED_CODES = 5;
/**
 * The share of a network's questions that may be entries on the page: typing errors there must not keep programs from
 * linking.
 */
const PART_OF_ENTRIES = 2 / 3;
/** The maximum clock difference of two processes that share a database. */
export const CLOCKS_APART_SECONDS = 1;
/** A refused program may poll again soon: its person may allow it in a moment. */
const ASK_AGAIN_SECONDS = 5;

const polls = limiter("link polls", env.LINK_POLLS_PER_SECOND * POLLS_WINDOW_SECONDS, POLLS_WINDOW_SECONDS);
const firsts = networkLimiter("link first questions", env.LINK_FOREIGN_CODES_PER_10_MINUTES, GUESS_WINDOW_SECONDS);
const entries = networkLimiter(
  "link entries",
  Math.max(1, Math.floor(env.LINK_FOREIGN_CODES_PER_10_MINUTES * PART_OF_ENTRIES)),
  GUESS_WINDOW_SECONDS,
);
const asked = limiter("link codes asked for", 1, ASKED_FOR_SECONDS);
const refused = limiter("link codes refused", REFUSED_CODES, GUESS_WINDOW_SECONDS);
const knownCodes = shortMemory("link codes asked for", ASKED_FOR_SECONDS, 50_000);
const refusedCodes = shortMemory("link codes refused", GUESS_WINDOW_SECONDS, 50_000);
const guessers = shortMemory("link guessers", GUESS_WINDOW_SECONDS, 50_000);

/** A poll for a code by a program that did not prove, by secret, that it got the code. */
export interface JudgedQuestion {
  codeHash: string;
  asker: Asker;
  /** The code was issued to this network. */
  isOwn: boolean;
  /** The response would be the token. */
  isReady: boolean;
  /** There is a live code with these letters. */
  isLive: boolean;
}

/**
 * Counts a poll, and returns whether it is the network's first for this code. Throws 429 `rate_limited` if the network
 * has too many first polls, hits and misses alike. Codes that it polled before are still checked (contract, section 4:
 * limits).
 */
export async function limitQuestion(
  { codeHash, asker, isOwn, isReady, isLive }: JudgedQuestion,
  now: Date,
): Promise<boolean> {
  const { network } = asker;
  const code = keyOf(codeHash, asker);
  // These are not limited, so they must not leave a counter for everything they ask for.
  if (isUnlimited(network)) return !isOwn && isLive && (await asked.take(code)).allowed;

  const isFirst = !knownCodes.has(code) && (await asked.peek(code)).allowed;
  // Before any counter of this code: an endless guesser leaves no counter for each guess.
  if (isFirst) await limitFirst(network, code, isOwn, now);
  if (!(isOwn && isReady)) {
    const polled = await polls.take(code);
    if (!polled.allowed) throw rateLimited(polled.retryAfter);
  }
  const isTheFirst = isFirst && (await asked.take(code)).allowed;
  if (!knownCodes.has(code)) knownCodes.add(code);
  // It was counted twice because two came concurrently.
  if (isFirst && !isTheFirst && !isOwn) await firsts.giveBack(network.id);
  return isTheFirst;
}

/** The first poll for one's own code is not counted, but beyond the limit it is refused like any other. */
async function limitFirst(network: Network, code: string, isOwn: boolean, now: Date): Promise<void> {
  if (guessers.has(network.id)) throw rateLimited(ASK_AGAIN_SECONDS);
  const { allowed, isFirstRefusal, retryAfter } = isOwn ? await firsts.peek(network.id) : await firsts.take(network.id);
  if (allowed) return;
  if (isFirstRefusal) await auditRefusal(network, "other codes", now);
  // A program that keeps polling for its one new code is not a guesser.
  const isAnother = !refusedCodes.has(code);
  refusedCodes.add(code);
  if (isAnother && !(await refused.take(network.id)).allowed) guessers.add(network.id);
  throw rateLimited(retryAfter);
}

/**
 * Whether a program of the code's network may collect it without the person's word. Not if its network polled for the
 * letters before they were issued: that is a guesser who waits. And not while somebody there keeps guessing beyond the
 * limit: those polls cannot be told from the program's.
 */
export async function mayCollectAtOnce(codeHash: string, asker: Asker, givenOutAt: Date): Promise<boolean> {
  if (isUnlimited(asker.network)) return true;
  if (await isGuessing(asker.network)) return false;
  const { openedAt } = await asked.peek(keyOf(codeHash, asker));
  return openedAt !== null && openedAt >= givenOutAt.getTime() - CLOCKS_APART_SECONDS * 1_000;
}

/**
 * Throws 429 `rate_limited` for misses in a network where somebody guesses, so that the guesser does not learn which
 * codes are checked.
 */
export function hideFromGuesser({ network }: Asker): void {
  if (guessers.has(network.id)) throw rateLimited(ASK_AGAIN_SECONDS);
}

async function isGuessing(network: Network): Promise<boolean> {
  if (!guessers.has(network.id) && (await refused.peek(network.id)).taken > REFUSED_CODES) guessers.add(network.id);
  return guessers.has(network.id);
}

/**
 * Since when a network counts as a guesser's, in every process; null if it does not. Until ten minutes later, its
 * programs without a secret need the person's word.
 */
export async function guessesSince(networkId: string): Promise<Date | null> {
  const { taken, openedAt } = await refused.peek(networkId);
  return taken > REFUSED_CODES && openedAt !== null ? new Date(openedAt) : null;
}

/** The key of a code that this network asked for. */
function keyOf(codeHash: string, { network, webPage }: Asker): string {
  return `${network.id} ${webPage ?? ""} ${codeHash}`;
}

/**
 * Counts a code entered on the page, before it is checked. Returns a function that undoes this if the code was right.
 * Throws 429 `rate_limited`.
 */
export async function limitEntry(network: Network, now: Date): Promise<() => Promise<void>> {
  if (isUnlimited(network)) return async () => {};
  const limits = [entries, firsts];
  for (const limit of limits) {
    const { allowed, isFirstRefusal, retryAfter } = await limit.take(network.id);
    if (allowed) continue;
    if (isFirstRefusal) await auditRefusal(network, "entries", now);
    throw rateLimited(retryAfter, "Too many wrong codes were entered from your network. Try again in a few minutes.");
  }
  return async () => {
    for (const limit of limits) await limit.giveBack(network.id);
  };
}
