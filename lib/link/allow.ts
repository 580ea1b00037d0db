import { audit } from "@/lib/audit";
import { transaction } from "@/lib/db/client";
import { notify } from "@/lib/mail/outbox";
import { unusable } from "./find";
import { type DoneBy, TRANSITIONS } from "./states";
import { announceChange } from "./waiters";

/** A program on another network, as named in a form of the page. */
export interface Elsewhere {
  network: string;
  /** "": no web page. */
  webPage: string;
}

/**
 * Lets only this program collect the token, besides the one that asked for the code. Throws 409 `code_unusable` if
 * nothing is left to collect.
 */
export async function allowProgram(
  userId: string,
  linkId: string,
  program: Elsewhere,
  now = new Date(),
): Promise<void> {
  await decide(userId, linkId, program, "allow", now);
}

/**
 * Refuses this program, and withdraws an earlier permission. Throws 409 `code_unusable` if it has collected, or nothing
 * is left to collect.
 */
export async function disallowProgram(
  userId: string,
  linkId: string,
  program: Elsewhere,
  now = new Date(),
): Promise<void> {
  await decide(userId, linkId, program, "disallow", now);
}

/**
 * Updates the request's row first, whatever the decision: of two concurrent decisions, one comes completely after the
 * other.
 */
async function decide(
  userId: string,
  linkId: string,
  { network, webPage }: Elsewhere,
  answer: DoneBy<"approver">,
  now: Date,
): Promise<void> {
  const allows = answer === "allow";
  const isDone = await transaction(async (tx) => {
    const { to, openAt } = TRANSITIONS[answer];
    const open = { id: linkId, userId, ...openAt(now) };
    const [link] = await tx.linkCode.updateManyAndReturn({
      where: open,
      data: { status: to, ...(allows && { allowedNetwork: network, allowedWebPage: webPage }) },
      select: { codeHash: true },
    });
    if (!link) return false;
    if (!allows)
      await tx.linkCode.updateMany({
        where: { ...open, allowedNetwork: network, allowedWebPage: webPage },
        data: { allowedNetwork: null, allowedWebPage: null },
      });
    await tx.linkQuestion.updateMany({
      where: { codeHash: link.codeHash ?? "", network, webPage },
      data: { refusedAt: allows ? null : now },
    });
    const detail = { network, ...(webPage !== "" && { webPage }) };
    await audit({ at: now, action: `link.${answer}`, subjectId: linkId, actorId: userId, detail }, tx);
    if (allows) await notify(tx, userId, "program linked", { network }, now);
    return true;
  });
  if (!isDone) throw unusable();
  announceChange(linkId);
}
