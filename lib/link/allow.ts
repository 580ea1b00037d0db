import { notify } from "@/lib/accounts/ways-in/mail/outbox";
import { audit } from "@/lib/platform/audit";
import { transaction } from "@/lib/platform/db/client";
import { unusable } from "./errors";
import { type DoneBy, TRANSITIONS } from "./states";
import { announceChange } from "./wait";

/** What the approver decides about a program on another network, as a form of the page names it. */
interface ProgramDecision {
  decision: DoneBy<"approver">;
  network: string;
  /** "": no web page. */
  webPage: string;
  now?: Date;
}

/**
 * Lets only this program collect the token, besides the one that requested the code; or refuses it, and withdraws an
 * earlier permission. Throws 409 `code_unusable` if it has collected, or nothing is left to collect.
 *
 * Updates the request's row first, whatever the decision: of two concurrent decisions, one comes completely after the
 * other.
 */
export async function decideProgram(
  userId: string,
  linkId: string,
  { network, webPage, decision, now = new Date() }: ProgramDecision,
): Promise<void> {
  const allows = decision === "allow";
  const isDone = await transaction(async (tx) => {
    const { to, openAt } = TRANSITIONS[decision];
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
    await audit({ at: now, action: `link.${decision}`, subjectId: linkId, actorId: userId, detail }, tx);
    if (allows) await notify(tx, userId, { kind: "program linked", network: { id: network }, now });
    return true;
  });
  if (!isDone) throw unusable();
  announceChange(linkId);
}
