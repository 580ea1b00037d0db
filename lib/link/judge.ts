import { findAsked } from "./asked-link";
import type { Asker } from "./asker";
import { type Claim, isCollectable, isIssuedTo, type Proof } from "./entitled";
import { hideFromGuesser, limitQuestion } from "./guesses";
import { storedCodeHash } from "./hashes";
import { codeLetters } from "./letters";
import { isPollSecret } from "./poll-secret";
import { bindToSecret, noteQuestion } from "./questions";
import type { Approver, AskedLink } from "./rows";
import { isLive } from "./states";
import { type CodeAnswer, type Wait, waitForChange } from "./wait";

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
  look: (judged: Judged, now: Date) => Promise<CodeAnswer<Answer>>,
  now: Date,
  wait: Wait | null,
): Promise<Answer | null> {
  const judged = await judge(question, now);
  if (!judged) return null;
  const { codeHash, link, claim } = judged;
  const first = await look(judged, now);
  if (first.answer === null) hideMiss(judged);
  if (wait) wait.isHonoured = first.isFinal;
  if (!wait || first.isFinal) return first.answer;
  const awaited = { codeHash, linkId: link?.id, network: claim.asker.network };
  const last = await waitForChange(awaited, wait, (found, at) => look({ ...judged, ...found }, at));
  return last ? last.answer : first.answer;
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
