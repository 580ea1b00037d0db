import { audit } from "@/lib/platform/audit";
import { db, transaction } from "@/lib/platform/db/client";
import { describeProgram } from "@/lib/platform/user-agent";
import { codeNotFound, unusable } from "./errors";
import { type DoneBy, TRANSITIONS } from "./states";
import { announceChange } from "./wait";

const ENDINGS: DoneBy<"operator">[] = ["end", "withdraw"];

/**
 * Ends a request by its id, for an operator: nobody can approve it, and its program gets no token, not even if it was
 * approved already. Polls get the same response as for a denied code. Throws 404 `code_not_found`, and 409
 * `code_unusable` if it was over before.
 */
export async function endRequest(actorId: string, linkId: string, now = new Date()): Promise<void> {
  const isDone = await transaction(async (tx) => {
    for (const ending of ENDINGS) {
      const { to, openAt } = TRANSITIONS[ending];
      const [link] = await tx.linkCode.updateManyAndReturn({
        where: { id: linkId, ...openAt(now) },
        // The user who approved it did not deny it.
        data: { status: to, decidedAt: now, userId: null, tokenHash: null, sealed: null, collectBy: null },
        select: { network: true, program: true },
      });
      if (!link) continue;
      await tx.accessToken.deleteMany({ where: { id: linkId, startsAt: null } });
      const detail = { network: link.network, program: describeProgram(link.program) };
      await audit({ at: now, action: "link.end", subjectId: linkId, actorId, detail }, tx);
      return true;
    }
    return false;
  }, "even on a full disk");
  if (!isDone)
    throw (await db.linkCode.count({ where: { id: linkId } })) > 0
      ? unusable("This request has already ended.")
      : codeNotFound("There is no request with this id.");
  announceChange(linkId);
}
