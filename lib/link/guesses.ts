import { audit } from "@/lib/audit";
import { env } from "@/lib/env";
import { rateLimited } from "@/lib/errors";
import { limiter } from "@/lib/limits";
import { log } from "@/lib/log";
import type { Network } from "@/lib/network";

const POLLS_WINDOW_SECONDS = 5;
const WINDOW_SECONDS = 10 * 60;
const STRICT_SECONDS = 15 * 60;

const polls = limiter("link polls", env.LINK_POLLS_PER_SECOND * POLLS_WINDOW_SECONDS, POLLS_WINDOW_SECONDS);
const foreignCodes = limiter("link foreign codes", env.LINK_FOREIGN_CODES_PER_10_MINUTES, WINDOW_SECONDS);
const countedCodes = limiter("link foreign codes counted", 1, WINDOW_SECONDS);
const misses = limiter("link misses", env.LINK_MISSES_ALARM_PER_10_MINUTES, WINDOW_SECONDS);
const strictBinding = limiter("link strict binding", 1, STRICT_SECONDS);

/** One question for a code. */
export interface Poll {
  codeHash: string;
  network: Network;
  /** The code was asked for by this very network. */
  isOwn: boolean;
  /** There is no live code with these letters. */
  isMiss: boolean;
}

/**
 * Counts a question, and answers whether it is a stranger's first for this code. Throws 429 `rate_limited` when it is one too
 * many. Codes of other networks count once each, hit or miss alike, so that a stranger learns nothing from the counter (contract,
 * section 4: limits).
 */
export async function limitPoll({ codeHash, network, isOwn, isMiss }: Poll, now: Date): Promise<boolean> {
  if (network.kind === "local" || network.kind === "unknown") return false;
  const code = `${network.id} ${codeHash}`;
  const isNewGuess = !isOwn && (await countedCodes.peek(code)).allowed;
  // Before anything of its own is counted for this code: who guesses without end leaves no counter for each guess.
  if (isNewGuess) await takeGuess(network, now);
  const polled = await polls.take(code);
  if (!polled.allowed) throw rateLimited(polled.retryAfter);
  if (!isNewGuess) return false;

  const counted = await countedCodes.take(code);
  if (!counted.allowed) await foreignCodes.giveBack(network.id);
  else await watch(isMiss);
  return counted.allowed;
}

async function takeGuess(network: Network, now: Date): Promise<void> {
  const { allowed, taken, retryAfter } = await foreignCodes.take(network.id);
  if (allowed) return;
  if (taken === env.LINK_FOREIGN_CODES_PER_10_MINUTES + 1)
    await audit({ at: now, action: "link.refuse", subjectId: network.id, actorId: null, detail: { network: network.id, limit: "other codes" } });
  throw rateLimited(retryAfter);
}

/** Whether only the asking network may collect, because many networks guess at the moment. */
export async function isBindingStrict(): Promise<boolean> {
  return !(await strictBinding.peek("all")).allowed;
}

/** Hits are counted too, where nobody looks: a miss must not take longer. */
async function watch(isMiss: boolean): Promise<void> {
  const { allowed } = await misses.take(isMiss ? "all" : "hits");
  if (allowed || !isMiss) return;
  const { taken } = await strictBinding.take("all");
  if (taken === 1) log.warn("many networks ask for link codes that do not exist: for 15 minutes only the network that asked for a code may collect");
}
