import { audit } from "@/lib/audit";
import { env } from "@/lib/env";
import { rateLimited } from "@/lib/errors";
import { limiter } from "@/lib/limits";
import type { Network } from "@/lib/network";
import { networkLimiter } from "@/lib/network-limits";
import type { Asker } from "./asker";
import { APPROVE_WITHIN_SECONDS, COLLECT_WITHIN_SECONDS } from "./lifetimes";
import { shortMemory } from "./short-memory";

const POLLS_WINDOW_SECONDS = 5;
export const GUESS_WINDOW_SECONDS = 10 * 60;
/** Longer than from giving a code out to the last moment when it can be collected. */
const ASKED_FOR_SECONDS = APPROVE_WITHIN_SECONDS + COLLECT_WITHIN_SECONDS + 5 * 60;
/** So many different codes may a network ask for in vain beyond its limit, before it is taken for a guesser's. */
export const REFUSED_CODES = 5;
/** Of its network's questions, so many may be entries on the page: who mistypes there keeps no program from linking. */
const PART_OF_ENTRIES = 2 / 3;
/** The clocks of two processes that share a database may differ by so much. */
export const CLOCKS_APART_SECONDS = 1;
/** What lies ahead by more was written before the clock was set back. */
const CLOCK_SET_BACK_MS = 60_000;
/** A program may ask again soon even where nothing is judged: it may be one that its person allows in a moment. */
const ASK_AGAIN_SECONDS = 5;

const polls = limiter("link polls", env.LINK_POLLS_PER_SECOND * POLLS_WINDOW_SECONDS, POLLS_WINDOW_SECONDS);
const firsts = networkLimiter("link first questions", env.LINK_FOREIGN_CODES_PER_10_MINUTES, GUESS_WINDOW_SECONDS);
const entries = networkLimiter("link entries", Math.max(1, Math.floor(env.LINK_FOREIGN_CODES_PER_10_MINUTES * PART_OF_ENTRIES)), GUESS_WINDOW_SECONDS);
const asked = limiter("link codes asked for", 1, ASKED_FOR_SECONDS);
const refused = limiter("link codes refused", REFUSED_CODES, GUESS_WINDOW_SECONDS);
const knownCodes = shortMemory("link codes asked for", ASKED_FOR_SECONDS, 50_000);
const refusedCodes = shortMemory("link codes refused", GUESS_WINDOW_SECONDS, 50_000);
const guessers = shortMemory("link guessers", GUESS_WINDOW_SECONDS, 50_000);

/** A question for a code, by a program that did not prove by a secret that it is the one that the code was given to. */
export interface Question {
  codeHash: string;
  asker: Asker;
  /** The code was given to this very network. */
  isOwn: boolean;
  /** It would be answered with the token. */
  isReady: boolean;
  /** There is a live code with these letters. */
  isLive: boolean;
}

/**
 * Counts a question, and answers whether it is the network's first for this code. Throws 429 `rate_limited` when it is one too many of its
 * network's first questions, hits and misses alike; codes that it asked for before are still judged (contract, section 4: limits).
 */
export async function limitQuestion({ codeHash, asker, isOwn, isReady, isLive }: Question, now: Date): Promise<boolean> {
  const { network } = asker;
  const code = keyOf(codeHash, asker);
  // Nobody limits these, so they must not leave a counter for whatever they ask for.
  if (isUnlimited(network)) return !isOwn && isLive && (await asked.take(code)).allowed;

  const isFirst = !knownCodes.has(code) && (await asked.peek(code)).allowed;
  // Before anything of its own is counted for this code: who guesses without end leaves no counter for each guess.
  if (isFirst) await limitFirst(network, code, isOwn, now);
  if (!(isOwn && isReady)) {
    const polled = await polls.take(code);
    if (!polled.allowed) throw rateLimited(polled.retryAfter);
  }
  const isTheFirst = isFirst && (await asked.take(code)).allowed;
  if (!knownCodes.has(code)) knownCodes.add(code);
  // It was counted twice because both came at once.
  if (isFirst && !isTheFirst && !isOwn) await firsts.giveBack(network.id);
  return isTheFirst;
}

/** The one question that each code brings with it is not counted, but beyond the limit it is refused like any other. */
async function limitFirst(network: Network, code: string, isOwn: boolean, now: Date): Promise<void> {
  if (guessers.has(network.id)) throw rateLimited(ASK_AGAIN_SECONDS);
  const { allowed, isFirstRefusal, retryAfter } = isOwn ? await firsts.peek(network.id) : await firsts.take(network.id);
  if (allowed) return;
  if (isFirstRefusal) await auditRefusal(network, "other codes", now);
  // A program that asks again and again for its one new code is no guesser.
  const isAnother = !refusedCodes.has(code);
  refusedCodes.add(code);
  if (isAnother && !(await refused.take(network.id)).allowed) guessers.add(network.id);
  throw rateLimited(retryAfter);
}

/**
 * Whether a program of the network that a code was given to may collect it without the person's word. Not when its network asked for the
 * letters before they were given out: that is a guesser who waits. And not while somebody there goes on guessing beyond the limit: his
 * questions cannot be told from those of the program.
 */
export async function mayCollectAtOnce(codeHash: string, asker: Asker, givenOutAt: Date): Promise<boolean> {
  if (isUnlimited(asker.network)) return true;
  if (await isGuessing(asker.network)) return false;
  // The clock was set back since: its times no longer say what came first.
  if (givenOutAt.getTime() > Date.now() + CLOCK_SET_BACK_MS) return true;
  const { openedAt } = await asked.peek(keyOf(codeHash, asker));
  return openedAt !== null && openedAt >= givenOutAt.getTime() - CLOCKS_APART_SECONDS * 1_000;
}

/** Throws 429 `rate_limited`, to whoever asks in vain in a network where somebody guesses, so that he does not learn which codes are judged. */
export function hideFromGuesser({ network }: Asker): void {
  if (guessers.has(network.id)) throw rateLimited(ASK_AGAIN_SECONDS);
}

async function isGuessing(network: Network): Promise<boolean> {
  if (!guessers.has(network.id) && (await refused.peek(network.id)).taken > REFUSED_CODES) guessers.add(network.id);
  return guessers.has(network.id);
}

/** A code as this network asked for it. */
function keyOf(codeHash: string, { network, webPage }: Asker): string {
  return `${network.id} ${webPage ?? ""} ${codeHash}`;
}

/**
 * Counts a code that somebody entered on the page, before it is looked at. Answers how to take that back where it was right. Throws
 * 429 `rate_limited`.
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

function auditRefusal(network: Network, limit: string, now: Date): Promise<void> {
  return audit({ at: now, action: "link.refuse", subjectId: network.id, actorId: null, detail: { network: network.id, limit } });
}

function isUnlimited({ kind }: Network): boolean {
  return kind === "local" || kind === "unknown";
}
