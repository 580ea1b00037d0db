import { forgetSealedSoon, startToken } from "@/lib/accounts/access-tokens/use";
import { auditEvents } from "@/lib/platform/audit";
import { openAccessToken, openToken } from "@/lib/platform/crypto/tokens";
import { sql } from "@/lib/platform/db/client";
import { rowLock } from "@/lib/platform/db/lock";
import type { SqlChange } from "@/lib/platform/db/statement";
import { shortMemory } from "@/lib/platform/process";
import { codeLetters, isPollSecret, storedCodeHash } from "./code";
import {
  type Asker,
  auditedAsker,
  bindToSecret,
  hideFromGuesser,
  limitQuestion,
  mayCollectAtOnce,
  noteQuestion,
} from "./limits";
import { type Approver, type AskedLink, collect, repeat } from "./queries";
import { COLLECT_WITHIN_SECONDS, isAwaited, isCollected, isLive, isObtainable, isRepeatable, statusOf } from "./states";
import { announceChange, type CodeResponse, findAsked, type Wait, waitForChange } from "./wait";

const heldBack = shortMemory("link codes held back", COLLECT_WITHIN_SECONDS, 50_000);

/**
 * The token of the user who approved this code, once, or null. `secret` is the poll secret that the program sent, if
 * any. Whether the code is malformed, unknown, pending, denied, expired, collected or meant for another program cannot
 * be told apart. With `wait`, the answer comes as soon as there is a token, or this program can know that there will be
 * none. Throws 429 `rate_limited`, but never if the poll secret is right.
 */
export async function collectToken(
  code: string,
  asker: Asker,
  secret: string | null,
  now = new Date(),
  wait: Wait | null = null,
): Promise<{ token: string } | null> {
  return answerQuestion({ code, asker, secret }, tokenFor, now, wait);
}

async function tokenFor(judged: Judged, now: Date): Promise<CodeResponse<{ token: string }>> {
  const { codeHash, link, user, claim } = judged;
  if (link && user && isCollectable(link, claim, now) && (await isFree(judged, link, now))) {
    const response = await handOut(codeHash, link, user, claim, now);
    if (response) return { response, isFinal: true };
  }
  const isOver =
    link !== undefined && isIssuedTo(link, claim) && !isObtainable(statusOf(link, user !== undefined, now));
  return { response: null, isFinal: isOver };
}

/**
 * Whether nothing keeps an entitled program from the token. A program that first needs the person's permission is
 * recorded, so that the page asks for it.
 */
async function isFree({ codeHash, claim }: Judged, link: AskedLink, now: Date): Promise<boolean> {
  if (isCollected(link) || titleTo(link, claim) !== "network") return true;
  if (await mayCollectAtOnce(codeHash, claim.asker, link.createdAt)) return true;
  const key = `${claim.asker.network.id} ${link.id}`;
  if (!heldBack.has(key)) await noteQuestion(codeHash, claim.asker, link.id, now);
  heldBack.add(key);
  return false;
}

/** A program's question about a code. */
export interface Question {
  code: string;
  asker: Asker;
  /** The poll secret that the program sent, if any. */
  secret: string | null;
}

/** A question that was counted, and what it is about. */
export interface Judged {
  codeHash: string;
  link?: AskedLink;
  user?: Approver;
  claim: Claim;
  /** The network's first question about this code, which was counted. */
  isFirst: boolean;
}

/**
 * What a program is told of a code, whichever route it asks: what `look` tells it, after its question was counted. If
 * it wishes to wait, `look` is called again until its outcome is final. Null if there is nothing to tell, or the code
 * is malformed. Throws 429 `rate_limited`, but never if the poll secret is right.
 */
export async function answerQuestion<Answer>(
  question: Question,
  look: (judged: Judged, now: Date) => Promise<CodeResponse<Answer>>,
  now: Date,
  wait: Wait | null,
): Promise<Answer | null> {
  const judged = await judge(question, now);
  if (!judged) return null;
  const { codeHash, link, claim } = judged;
  const first = await look(judged, now);
  if (first.response === null) hideMiss(judged);
  if (wait) wait.isHonoured = first.isFinal;
  if (!wait || first.isFinal) return first.response;
  const awaited = { codeHash, linkId: link?.id, network: claim.asker.network };
  const last = await waitForChange(awaited, wait, (found, at) => look({ ...judged, ...found }, at));
  return last ? last.response : first.response;
}

/**
 * Counts a question, and records that of a stranger; the first right secret binds the code. Null if the code is
 * malformed.
 */
async function judge({ code, asker, secret }: Question, now: Date): Promise<Judged | null> {
  const letters = codeLetters(code);
  if (!letters) return null;
  const codeHash = await storedCodeHash(letters);
  const { link, user } = await findAsked(codeHash);
  const claim: Claim = { asker, proof: proofOf(secret, link) };
  const isReady = link !== undefined && user !== undefined && isCollectable(link, claim, now);
  const alive = link && isLive(link, now) ? link : null;

  let isFirst = false;
  if (claim.proof === "right") {
    if (alive && !alive.boundAt) await bindToSecret(alive.id, now);
  } else {
    const isOwn = link !== undefined && isIssuedTo(link, claim);
    isFirst = await limitQuestion({ codeHash, asker, isOwn, isReady, isLive: alive !== null }, now);
    if (isFirst && !isOwn) await noteQuestion(codeHash, asker, alive?.id ?? null, now);
  }
  return { codeHash, link, user, claim, isFirst };
}

/** Throws 429 `rate_limited` where somebody guesses, so that the guesser does not learn which codes are checked. */
function hideMiss({ claim, isFirst }: Judged): void {
  // A first question was counted, and a miss gets the same response.
  if (claim.proof !== "right" && !isFirst) hideFromGuesser(claim.asker);
}

function proofOf(secret: string | null, link: AskedLink | undefined): Proof {
  if (secret === null) return "none";
  return isPollSecret(secret, link?.secretHash ?? null) ? "right" : "wrong";
}

/** Whether a poll came with the poll secret of its code. */
export type Proof = "none" | "right" | "wrong";

/** The program that polls for a code, and its proof. */
export interface Claim {
  asker: Asker;
  proof: Proof;
}

/**
 * Whether the code was issued to this network. Behind an unconfigured proxy everybody has one network, and a web page
 * asks through its visitors: neither identifies the original asker.
 */
export function isOwn(link: AskedLink, { network, webPage }: Asker): boolean {
  return network.kind !== "shared" && link.network === network.id && link.webPage === null && webPage === null;
}

/**
 * Whether the code was issued to this program, as far as it proves that: by its secret or, until that was used, by its
 * network. A program with a wrong secret is a stranger even on the code's own network.
 */
export function isIssuedTo(link: AskedLink, { asker, proof }: Claim): boolean {
  return proof === "right" || (proof === "none" && link.boundAt === null && isOwn(link, asker));
}

/** Whether the poll returns the token, provided that its approver still has it. */
export function isCollectable(link: AskedLink, claim: Claim, now: Date): boolean {
  if (isCollected(link)) return wasCollectedBy(link, claim, now);
  return isAwaited(link, now) && titleTo(link, claim) !== null;
}

/** A program whose response was lost polls again. */
export function wasCollectedBy(link: AskedLink, { asker, proof }: Claim, now: Date): boolean {
  if (!isRepeatable(link, now)) return false;
  // Only codes collected with a secret are bound to one by now.
  if (link.boundAt) return proof === "right";
  if (proof !== "none") return false;
  // Collected before the program was stored: any program on that network.
  const isSameProgram = link.collectedProgram === null || link.collectedProgram === asker.program;
  return isSameProgram && link.collectedNetwork === asker.network.id && link.collectedWebPage === asker.webPage;
}

/** The title by which a program may collect: its poll secret, its network, or the word of the person who approved. */
export type Title = "secret" | "network" | "word";

/** The title of this program to collect an approved code, or null (contract, section 4: collecting). */
export function titleTo(link: AskedLink, { asker, proof }: Claim): Title | null {
  if (proof === "wrong") return null;
  // A web page also needs the person's word.
  if (proof === "right") return link.webPage === null || link.allowedNetwork !== null ? "secret" : null;
  if (link.boundAt) return null;
  if (link.allowedNetwork === asker.network.id && link.allowedWebPage === (asker.webPage ?? "")) return "word";
  return isOwn(link, asker) ? "network" : null;
}

/** A program that lost this many responses is after something else. */
const MAX_REPEATS = 20;

/**
 * The token of this link's approver, if `isCollectable` was true; null if somebody else was faster. Everything that can
 * fail comes before the irreversible step, so no token is lost on the way.
 */
export async function handOut(
  codeHash: string,
  link: AskedLink,
  user: Approver,
  claim: Claim,
  now: Date,
): Promise<{ token: string } | null> {
  const token = link.sealed === null ? openToken(user.tokenSealed, user.id) : openAccessToken(link.sealed, link.id);
  if (!isCollected(link)) {
    if (await markCollected(link, user, claim, now)) return { token };
    const after = await findAsked(codeHash);
    if (!after.link || !isCollected(after.link) || !after.user || !isCollectable(after.link, claim, now)) return null;
  }
  return (await markRepeated(link, user, claim, now)) ? { token } : null;
}

async function markCollected(link: AskedLink, user: Approver, claim: Claim, now: Date): Promise<boolean> {
  const { network, program, webPage } = claim.asker;
  const asker = { network: network.id, program, webPage };
  const collecting = collect({ link, user, title: titleTo(link, claim), asker, now });
  const event = auditEvents({
    at: now,
    action: "link.collect",
    subjectId: link.id,
    actorId: user.id,
    detail: auditedAsker(claim.asker),
  });
  const isDone =
    link.sealed === null
      ? (await sql.batch([collecting, event])).length > 0
      : await collectOwn(link.id, collecting, event, now);
  if (isDone) announceChange(link.id);
  return isDone;
}

/** Collects a token of the program's own, which works from now on. Without the token, the link stays uncollected. */
async function collectOwn(
  tokenId: string,
  collecting: SqlChange<{ id: string }>,
  event: SqlChange,
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

async function markRepeated(link: AskedLink, user: Approver, { asker }: Claim, now: Date): Promise<boolean> {
  const rows = await sql.batch([
    repeat(link.id, MAX_REPEATS, now),
    auditEvents({
      at: now,
      action: "link.repeat",
      subjectId: link.id,
      actorId: user.id,
      detail: auditedAsker(asker),
    }),
  ]);
  return rows.length > 0;
}
