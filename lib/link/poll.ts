import { shortMemory } from "@/lib/short-memory";
import type { Asker } from "./asker";
import { isCollectable, isIssuedTo, titleTo } from "./entitled";
import { mayCollectAtOnce } from "./guesses";
import { handOut } from "./hand-out";
import { answerQuestion, type Judged } from "./judge";
import { COLLECT_WITHIN_SECONDS } from "./lifetimes";
import { noteQuestion } from "./questions";
import type { AskedLink } from "./rows";
import { isCollected, isObtainable, statusOf } from "./states";
import type { CodeAnswer, Wait } from "./wait";

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

async function tokenFor(judged: Judged, now: Date): Promise<CodeAnswer<{ token: string }>> {
  const { codeHash, link, user, claim } = judged;
  if (link && user && isCollectable(link, claim, now) && (await isFree(judged, link, now))) {
    const answer = await handOut(codeHash, link, user, claim, now);
    if (answer) return { answer, isFinal: true };
  }
  const isOver =
    link !== undefined && isIssuedTo(link, claim) && !isObtainable(statusOf(link, user !== undefined, now));
  return { answer: null, isFinal: isOver };
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
