import { audit } from "@/lib/platform/audit";
import { env } from "@/lib/platform/env";
import { rateLimited } from "@/lib/platform/errors";
import { leasedLimiter } from "@/lib/platform/limits/leased";
import { limiter, limiterOfProcess, networkLimiter } from "@/lib/platform/limits/limits";
import type { Network } from "@/lib/platform/network/network";
import { shortMemory } from "@/lib/platform/process";
import { DAY_MS } from "@/lib/platform/time";
import type { Requester } from "./requester";
import { APPROVE_WITHIN_SECONDS, COLLECT_WITHIN_SECONDS } from "./states";

/** They are stored for 30 days. More than a person reads of one network, and limits still count what is left out. */
const EVENTS_A_DAY = 200;

const events = networkLimiter("link events of a day", EVENTS_A_DAY, {
  seconds: DAY_MS / 1_000,
  counter: leasedLimiter,
});

/** Whether limits do not hold for this network: the machine itself, or where networks are unknown. */
const isUnlimited = ({ kind }: Network): boolean => kind === "local" || kind === "unknown";

/**
 * Whether the audit trail gets one more event of this network's programs, which nobody signed in for. Counted alike
 * for what hits and what misses.
 */
export const isAudited = async (network: Network): Promise<boolean> =>
  isUnlimited(network) || (await events.consume(network.id)).allowed;

/** Records that a network reached this limit. */
export async function auditRefusal(network: Network, limit: string, now: Date): Promise<void> {
  if (!(await isAudited(network))) return;
  const detail = { network: network.id, limit };
  await audit({ at: now, action: "link.refuse", subjectId: network.id, actorId: null, detail });
}

const POLLS_WINDOW_SECONDS = 5;
export const GUESS_WINDOW_SECONDS = 10 * 60;
/** Longer than the time from issuing a code to the last moment when it can be collected. */
const POLLED_SECONDS = APPROVE_WITHIN_SECONDS + COLLECT_WITHIN_SECONDS + 5 * 60;
/** After this many different refused codes beyond its limit, a network counts as a guesser's. */
export const REFUSED_CODES = 5;
/**
 * The share of a network's first polls that may be entries on the page: typing errors there must not keep programs from
 * linking.
 */
const PART_OF_ENTRIES = 2 / 3;
/** The maximum clock difference of two processes that share a database. */
const CLOCKS_APART_SECONDS = 1;
/** A refused program may poll again soon: its user may allow it in a moment. */
const RETRY_AFTER_SECONDS = 5;

const polls = limiterOfProcess("link polls", env.LINK_POLLS_PER_SECOND * POLLS_WINDOW_SECONDS, POLLS_WINDOW_SECONDS);
const firsts = networkLimiter("link first questions", env.LINK_FOREIGN_CODES_PER_10_MINUTES, {
  seconds: GUESS_WINDOW_SECONDS,
});
const entries = networkLimiter(
  "link entries",
  Math.max(1, Math.floor(env.LINK_FOREIGN_CODES_PER_10_MINUTES * PART_OF_ENTRIES)),
  { seconds: GUESS_WINDOW_SECONDS },
);
const polledCodes = limiter("link codes asked for", 1, POLLED_SECONDS);
const refused = networkLimiter("link codes refused", REFUSED_CODES, { seconds: GUESS_WINDOW_SECONDS, isWide: false });
const cachedCodes = shortMemory("link codes asked for", POLLED_SECONDS, 50_000);
const refusedCodes = shortMemory("link codes refused", GUESS_WINDOW_SECONDS, 50_000);
const guessers = shortMemory("link guessers", GUESS_WINDOW_SECONDS, 50_000);

/** A poll for a code by a program that did not prove, by secret, that it got the code. */
interface UnprovenPoll {
  codeHash: string;
  requester: Requester;
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
export async function limitPoll(
  { codeHash, requester, isOwn, isReady, isLive }: UnprovenPoll,
  now: Date,
): Promise<boolean> {
  const { network } = requester;
  const code = counterKey(codeHash, requester);
  // These are not limited, so they must not leave a counter for everything they poll for.
  if (isUnlimited(network)) return !isOwn && isLive && (await polledCodes.consume(code)).allowed;

  const isFirst = !cachedCodes.has(code) && (await polledCodes.peek(code)).allowed;
  // Before any counter of this code: an endless guesser leaves no counter for each guess.
  if (isFirst) await limitFirst(network, code, { isOwn, now });
  if (!(isOwn && isReady)) {
    const polled = await polls.consume(code);
    if (!polled.allowed) throw rateLimited(polled.retryAfter);
  }
  const isTheFirst = isFirst && (await polledCodes.consume(code)).allowed;
  if (!cachedCodes.has(code)) cachedCodes.add(code);
  // It was counted twice because two came concurrently.
  if (isFirst && !isTheFirst && !isOwn) await firsts.refund(network.id);
  return isTheFirst;
}

/** The first poll for one's own code is not counted, but beyond the limit it is refused like any other. */
async function limitFirst(
  network: Network,
  code: string,
  { isOwn, now }: { isOwn: boolean; now: Date },
): Promise<void> {
  if (guessers.has(network.id)) throw rateLimited(RETRY_AFTER_SECONDS);
  const { allowed, isFirstRefusal, retryAfter } = isOwn
    ? await firsts.peek(network.id)
    : await firsts.consume(network.id);
  if (allowed) return;
  if (isFirstRefusal) await auditRefusal(network, "other codes", now);
  // A program that keeps polling for its one new code is not a guesser.
  const isAnother = !refusedCodes.has(code);
  refusedCodes.add(code);
  if (isAnother && !(await refused.consume(network.id)).allowed) guessers.add(network.id);
  throw rateLimited(retryAfter);
}

/**
 * Whether a program of the code's network may collect it without the approver's permission. Not if its network polled
 * for the code before it was issued: that is a guesser who waits. And not while somebody there keeps guessing beyond
 * the limit: those polls cannot be told from the program's.
 */
export async function mayCollectByNetwork(codeHash: string, requester: Requester, issuedAt: Date): Promise<boolean> {
  if (isUnlimited(requester.network)) return true;
  if (await isGuessing(requester.network)) return false;
  const { openedAt } = await polledCodes.peek(counterKey(codeHash, requester));
  return openedAt !== null && openedAt >= issuedAt.getTime() - CLOCKS_APART_SECONDS * 1_000;
}

/**
 * Throws 429 `rate_limited` for misses in a network where somebody guesses, so that the guesser does not learn which
 * codes are checked.
 */
export function hideFromGuesser({ network }: Requester): void {
  if (guessers.has(network.id)) throw rateLimited(RETRY_AFTER_SECONDS);
}

async function isGuessing(network: Network): Promise<boolean> {
  if (guessers.has(network.id)) return true;
  const isOne = (await refused.peek(network.id)).consumed > REFUSED_CODES;
  if (isOne) guessers.add(network.id);
  return isOne;
}

/**
 * Since when a network counts as a guesser's, in every process; null if it does not. Until ten minutes later, its
 * programs without a secret need the approver's permission.
 */
export async function guessesSince(networkId: string): Promise<Date | null> {
  const { consumed, openedAt } = await refused.peek(networkId);
  return consumed > REFUSED_CODES && openedAt !== null ? new Date(openedAt) : null;
}

/** The key of the counters of a code that this network polled for. */
function counterKey(codeHash: string, { network, webPage }: Requester): string {
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
    const { allowed, isFirstRefusal, retryAfter } = await limit.consume(network.id);
    if (allowed) continue;
    if (isFirstRefusal) await auditRefusal(network, "entries", now);
    throw rateLimited(retryAfter, "Too many wrong codes were entered from your network. Try again in a few minutes.");
  }
  return async () => {
    for (const limit of limits) await limit.refund(network.id);
  };
}
