import { sql } from "@/lib/platform/db/client";
import { isCollectable, isIssuedTo, type Poller, proofOf } from "./access";
import { parseCode, storedCodeHash } from "./code";
import { hideFromGuesser, limitPoll } from "./limits";
import { type Approver, bind, type PolledLink } from "./queries";
import { recordQuestion } from "./questions";
import type { Requester } from "./requester";
import { isLive } from "./states";
import { findPolledLink, type PollResponse, type Wait, waitForChange } from "./wait";

/** What a poll brings besides its code. */
export interface PollOptions {
  /** The poll secret that the program sent, if any. */
  secret: string | null;
  wait?: Wait | null;
  now?: Date;
}

/** A program's poll for a code. */
export interface Poll extends PollOptions {
  requester: Requester;
  code: string;
}

/** A poll that was counted, and what it is about. */
export interface CheckedPoll {
  codeHash: string;
  link?: PolledLink;
  user?: Approver;
  poller: Poller;
  /** The network's first poll for this code, which was counted. */
  isFirst: boolean;
}

/**
 * The response to a poll, whichever route it comes to: what `respond` returns, after the poll was counted. If it is to
 * wait, `respond` is called again until its response is final. Null if there is nothing to respond with, or the code is
 * malformed. Throws 429 `rate_limited`, but never if the poll secret is right.
 */
export async function respondToPoll<T>(
  poll: Poll,
  respond: (poll: CheckedPoll, now: Date) => Promise<PollResponse<T>>,
): Promise<T | null> {
  const { wait = null, now = new Date() } = poll;
  const checked = await checkPoll(poll, now);
  if (!checked) return null;
  const { codeHash, link, poller } = checked;
  const first = await respond(checked, now);
  if (first.response === null) hideMiss(checked);
  if (wait) wait.isHonoured = first.isFinal;
  if (!wait || first.isFinal) return first.response;
  const code = { codeHash, linkId: link?.id, network: poller.network };
  const last = await waitForChange(code, wait, (current, at) => respond({ ...checked, ...current }, at));
  return last ? last.response : first.response;
}

/**
 * Counts a poll, and records that of a stranger; the first right secret binds the code. Null if the code is malformed.
 */
async function checkPoll({ code: input, requester, secret }: Poll, now: Date): Promise<CheckedPoll | null> {
  const code = parseCode(input);
  if (!code) return null;
  const codeHash = await storedCodeHash(code);
  const { link, user } = await findPolledLink(codeHash);
  const poller: Poller = { ...requester, proof: proofOf(secret, link) };
  const isReady = link !== undefined && user !== undefined && isCollectable(link, poller, now);
  const alive = link && isLive(link, now) ? link : null;

  let isFirst = false;
  if (poller.proof === "right") {
    // From now on, only programs with the secret can collect.
    if (alive && !alive.boundAt) await sql.batch([bind(alive.id, now)]);
  } else {
    const isOwn = link !== undefined && isIssuedTo(link, poller);
    isFirst = await limitPoll({ codeHash, requester, isOwn, isReady, isLive: alive !== null }, now);
    if (isFirst && !isOwn) await recordQuestion(requester, codeHash, { linkId: alive?.id ?? null, now });
  }
  return { codeHash, link, user, poller, isFirst };
}

/** Throws 429 `rate_limited` where somebody guesses, so that the guesser does not learn which codes are checked. */
function hideMiss({ poller, isFirst }: CheckedPoll): void {
  // A first poll was counted, and a miss gets the same response.
  if (poller.proof !== "right" && !isFirst) hideFromGuesser(poller);
}
