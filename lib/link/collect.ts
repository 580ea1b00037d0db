import { startToken } from "@/lib/accounts/identity/access-tokens/use";
import { auditEvents } from "@/lib/platform/audit";
import { openAccessToken, openToken } from "@/lib/platform/crypto/tokens";
import { sql } from "@/lib/platform/db/client";
import { rowLock } from "@/lib/platform/db/lock";
import type { SqlChange } from "@/lib/platform/db/statement";
import { shortMemory } from "@/lib/platform/process";
import { later } from "@/lib/platform/time";
import { entitlementTo, isCollectable, isIssuedTo } from "./access";
import { mayCollectByNetwork } from "./limits";
import { type CheckedPoll, type PollOptions, respondToPoll } from "./poll";
import { collect, type PolledLink, repeat } from "./queries";
import { recordQuestion } from "./questions";
import { auditedRequester, type Requester } from "./requester";
import { forgetSealedSoon, SEALED_MS } from "./sealed";
import { COLLECT_WITHIN_SECONDS, isCollected, isObtainable, statusOf } from "./states";
import { announceChange, findPolledLink, type PollResponse } from "./wait";

const heldBack = shortMemory("link codes held back", COLLECT_WITHIN_SECONDS, 50_000);

/**
 * The token of the user who approved this code, once, or null. Whether the code is malformed, unknown, pending, denied,
 * expired, collected or meant for another program cannot be told apart. With `wait`, the response comes as soon as
 * there is a token, or this program can know that there will be none. Throws 429 `rate_limited`, but never if the poll
 * secret is right.
 */
export async function collectToken(
  requester: Requester,
  code: string,
  options: PollOptions,
): Promise<{ token: string } | null> {
  return respondToPoll({ requester, code, ...options }, tokenFor);
}

/** The token for this program, if it may have it now. */
export async function tokenFor(poll: CheckedPoll, now: Date): Promise<PollResponse<{ token: string }>> {
  const { link, user, poller } = poll;
  if (link && user && isCollectable(link, poller, now) && (await isFree(poll, link, now))) {
    const response = await issueToken({ ...poll, link, user }, now);
    if (response) return { response, isFinal: true };
  }
  const isOver =
    link !== undefined && isIssuedTo(link, poller) && !isObtainable(statusOf(link, user !== undefined, now));
  return { response: null, isFinal: isOver };
}

/**
 * Whether nothing keeps an entitled program from the token. A program that first needs the approver's permission is
 * recorded, so that the page asks for it.
 */
async function isFree({ codeHash, poller }: CheckedPoll, link: PolledLink, now: Date): Promise<boolean> {
  if (isCollected(link) || entitlementTo(link, poller) !== "network") return true;
  if (await mayCollectByNetwork(codeHash, poller, link.createdAt)) return true;
  const memoryKey = `${poller.network.id} ${link.id}`;
  if (!heldBack.has(memoryKey)) await recordQuestion(poller, codeHash, { linkId: link.id, now });
  heldBack.add(memoryKey);
  return false;
}

type ApprovedPoll = CheckedPoll & Required<Pick<CheckedPoll, "link" | "user">>;

/** A program that lost this many responses is after something else. */
const MAX_REPEATS = 20;

/**
 * The token of this link's approver, if `isCollectable` was true; null if somebody else was faster. Everything that can
 * fail comes before the irreversible step, so no token is lost on the way.
 */
export async function issueToken(poll: ApprovedPoll, now: Date): Promise<{ token: string } | null> {
  const { codeHash, link, user, poller } = poll;
  const token = link.sealed === null ? openToken(user.tokenSealed, user.id) : openAccessToken(link.sealed, link.id);
  if (!isCollected(link)) {
    if (await storeCollection(poll, now)) return { token };
    const after = await findPolledLink(codeHash);
    if (!after.link || !isCollected(after.link) || !after.user || !isCollectable(after.link, poller, now)) return null;
  }
  return (await countRepeat(poll, now)) ? { token } : null;
}

async function storeCollection({ link, user, poller }: ApprovedPoll, now: Date): Promise<boolean> {
  const { network, program, webPage } = poller;
  const collecting = collect(link, user, {
    entitlement: entitlementTo(link, poller),
    network: network.id,
    program,
    webPage,
    now,
  });
  const event = auditEvents({
    at: now,
    action: "link.collect",
    subjectId: link.id,
    actorId: user.id,
    detail: auditedRequester(poller),
  });
  const isDone =
    link.sealed === null
      ? (await sql.batch([collecting, event])).length > 0
      : await collectOwn(link.id, [collecting, event], now);
  if (isDone) announceChange(link.id);
  return isDone;
}

/** Collects a token of the program's own, which works from now on. Without the token, the link stays uncollected. */
async function collectOwn(
  tokenId: string,
  [collecting, event]: [SqlChange<{ id: string }>, SqlChange],
  now: Date,
): Promise<boolean> {
  const isDone = await sql.write(async (tx) => {
    if ((await tx.write(rowLock.accessToken(tokenId))) === 0) return false;
    if ((await tx.write(collecting)).length === 0) return false;
    await startToken(tx, tokenId, { now, sealedUntil: later(now, SEALED_MS) });
    await tx.write(event);
    return true;
  });
  if (isDone) forgetSealedSoon(tokenId);
  return isDone;
}

async function countRepeat({ link, user, poller }: ApprovedPoll, now: Date): Promise<boolean> {
  const rows = await sql.batch([
    repeat(link.id, MAX_REPEATS, now),
    auditEvents({
      at: now,
      action: "link.repeat",
      subjectId: link.id,
      actorId: user.id,
      detail: auditedRequester(poller),
    }),
  ]);
  return rows.length > 0;
}
