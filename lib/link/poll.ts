import { type AskedLink, findAsked } from "./asked-link";
import type { Asker } from "./asker";
import { type Claim, isCollectable, isLive, isOwn, type Proof, titleTo } from "./entitled";
import { hideFromGuesser, limitQuestion, mayCollectAtOnce } from "./guesses";
import { handOut } from "./hand-out";
import { storedCodeHash } from "./hashes";
import { codeLetters } from "./letters";
import { COLLECT_WITHIN_SECONDS } from "./lifetimes";
import { isPollSecret } from "./poll-secret";
import { bindToSecret, noteQuestion } from "./questions";
import { shortMemory } from "./short-memory";

const heldBack = shortMemory("link codes held back", COLLECT_WITHIN_SECONDS, 50_000);

/**
 * The token of the user who approved this code, once, or null. `secret` is the poll secret that the program sent, if it sent any. Whether the code is malformed, unknown, pending, denied, expired,
 * collected or meant for another program cannot be told apart. Throws 429 `rate_limited`, but never where the poll secret is right.
 */
export async function collectToken(code: string, asker: Asker, secret: string | null, now = new Date()): Promise<{ token: string } | null> {
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
    // Who proves wrong, or fails to prove where the program has, is a stranger from its own network too.
    const isFromOwn = link !== undefined && claim.proof === "none" && link.boundAt === null && isOwn(link, asker);
    isFirst = await limitQuestion({ codeHash, asker, isOwn: isFromOwn, isReady, isLive: alive !== null }, now);
    if (isFirst && !isFromOwn) await noteQuestion(codeHash, asker, alive?.id ?? null, now);
  }
  if (isReady && (await isFree(codeHash, link, claim, now))) return handOut(codeHash, link, user, claim, now);
  // A first question was counted, and a miss is answered like this one.
  if (claim.proof !== "right" && !isFirst) hideFromGuesser(asker);
  return null;
}

/** Whether nothing keeps a token from a program that is entitled to it. What the person has to allow first is written down, so that she is asked. */
async function isFree(codeHash: string, link: AskedLink, claim: Claim, now: Date): Promise<boolean> {
  if (link.status === "collected" || titleTo(link, claim) !== "network") return true;
  if (await mayCollectAtOnce(codeHash, claim.asker, link.createdAt)) return true;
  const key = `${claim.asker.network.id} ${link.id}`;
  if (!heldBack.has(key)) await noteQuestion(codeHash, claim.asker, link.id, now);
  heldBack.add(key);
  return false;
}

function proofOf(secret: string | null, link: AskedLink | undefined): Proof {
  if (secret === null) return "none";
  return isPollSecret(secret, link?.secretHash ?? null) ? "right" : "wrong";
}
