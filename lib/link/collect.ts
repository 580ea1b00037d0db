import { forgetSealedSoon, startToken } from "@/lib/accounts/identity/access-tokens/use";
import { auditEvents } from "@/lib/platform/audit";
import { openAccessToken, openToken } from "@/lib/platform/crypto/tokens";
import { sql } from "@/lib/platform/db/client";
import { rowLock } from "@/lib/platform/db/lock";
import type { SqlChange } from "@/lib/platform/db/statement";
import { shortMemory } from "@/lib/platform/process";
import { isPollSecret, parseCode, storedCodeHash } from "./code";
import {
  auditedRequester,
  bindToSecret,
  hideFromGuesser,
  limitPoll,
  mayCollectByNetwork,
  type Requester,
  recordQuestion,
} from "./limits";
import { type Approver, collect, type PolledLink, repeat } from "./queries";
import {
  COLLECT_WITHIN_SECONDS,
  isAwaited,
  isCollected,
  isLive,
  isObtainable,
  isRepeatable,
  isUndecided,
  type LinkStatus,
  statusOf,
} from "./states";
import { announceChange, findPolledLink, type PollResponse, type Wait, waitForChange } from "./wait";

const heldBack = shortMemory("link codes held back", COLLECT_WITHIN_SECONDS, 50_000);

/** What a poll brings besides its code. */
interface PollOptions {
  /** The poll secret that the program sent, if any. */
  secret: string | null;
  wait?: Wait | null;
  now?: Date;
}

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
 * The state of a code for the program that it was issued to, or null. Whether the code is malformed, unknown or another
 * program's cannot be told apart. Counts like a poll for the token. With `wait`, the response comes as soon as the code
 * is no longer pending; everybody else waits to the end, whatever happens to it. Throws 429 `rate_limited`, but never
 * if the poll secret is right.
 */
export async function readStatus(requester: Requester, code: string, options: PollOptions): Promise<LinkStatus | null> {
  return respondToPoll({ requester, code, ...options }, statusFor);
}

async function statusFor({ link, user, poller }: CheckedPoll, now: Date): Promise<PollResponse<LinkStatus>> {
  if (!link || !isIssuedTo(link, poller)) return { response: null, isFinal: false };
  const response = statusOf(link, user !== undefined, now);
  return { response, isFinal: !isUndecided(response) };
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

type ApprovedPoll = CheckedPoll & Required<Pick<CheckedPoll, "link" | "user">>;

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
    if (alive && !alive.boundAt) await bindToSecret(alive.id, now);
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

function proofOf(secret: string | null, link: PolledLink | undefined): Proof {
  if (secret === null) return "none";
  return isPollSecret(secret, link?.secretHash ?? null) ? "right" : "wrong";
}

/** Whether a poll came with the poll secret of its code. */
export type Proof = "none" | "right" | "wrong";

/** The program that polls for a code, and its proof. */
export interface Poller extends Requester {
  proof: Proof;
}

/**
 * Whether the code was issued to this network. Behind an unconfigured proxy everybody has one network, and a web page
 * sends requests through its visitors: neither identifies the original requester.
 */
export function isOwn(link: PolledLink, { network, webPage }: Requester): boolean {
  return network.kind !== "shared" && link.network === network.id && link.webPage === null && webPage === null;
}

/**
 * Whether the code was issued to this program, as far as it proves that: by its secret or, until that was used, by its
 * network. A program with a wrong secret is a stranger even on the code's own network.
 */
function isIssuedTo(link: PolledLink, poller: Poller): boolean {
  return poller.proof === "right" || (poller.proof === "none" && link.boundAt === null && isOwn(link, poller));
}

/** Whether the poll returns the token, provided that its approver still has it. */
export function isCollectable(link: PolledLink, poller: Poller, now: Date): boolean {
  if (isCollected(link)) return wasCollectedBy(link, poller, now);
  return isAwaited(link, now) && entitlementTo(link, poller) !== null;
}

/** A program whose response was lost polls again. */
export function wasCollectedBy(link: PolledLink, poller: Poller, now: Date): boolean {
  if (!isRepeatable(link, now)) return false;
  // Only codes collected with a secret are bound to one by now.
  if (link.boundAt) return poller.proof === "right";
  if (poller.proof !== "none") return false;
  // Collected before the program was stored: any program on that network.
  const isSameProgram = link.collectedProgram === null || link.collectedProgram === poller.program;
  return isSameProgram && link.collectedNetwork === poller.network.id && link.collectedWebPage === poller.webPage;
}

/** What entitles a program to collect: its poll secret, its network, or the permission of the user who approved. */
export type Entitlement = "secret" | "network" | "permission";

/** What entitles this program to collect an approved code, or null (contract, section 4: collecting). */
export function entitlementTo(link: PolledLink, poller: Poller): Entitlement | null {
  const { network, webPage, proof } = poller;
  if (proof === "wrong") return null;
  // A web page also needs the approver's permission.
  if (proof === "right") return link.webPage === null || link.allowedNetwork !== null ? "secret" : null;
  if (link.boundAt) return null;
  if (link.allowedNetwork === network.id && link.allowedWebPage === (webPage ?? "")) return "permission";
  return isOwn(link, poller) ? "network" : null;
}

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
    await startToken(tx, tokenId, now);
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
