import { audit } from "@/lib/audit";
import { db, transaction } from "@/lib/db/client";
import { accountDisabled } from "@/lib/errors";
import type { Network } from "@/lib/network";
import type { Prisma } from "@/prisma/generated/sqlite/client";
import { whyUndecidable } from "./find";
import { COLLECT_WITHIN_SECONDS, secondsAfter } from "./lifetimes";
import { describeProgram } from "./program";

/** Who decides, and where. */
export interface Decider {
  id: string;
  network: Network;
}

/**
 * Lets the program collect the user's token. One decision wins; doing the same again changes nothing. Throws 403
 * `account_disabled`, or what `whyUndecidable` says to who came too late.
 */
export async function approveRequest(decider: Decider, linkId: string, now = new Date()): Promise<void> {
  const user = await db.user.findUnique({ where: { id: decider.id }, select: { tokenHash: true, disabledAt: true } });
  if (!user || user.disabledAt) throw accountDisabled();
  await decide(decider, linkId, now, { status: "approved", collectBy: secondsAfter(now, COLLECT_WITHIN_SECONDS), tokenHash: user.tokenHash });
}

/** Turns the program away. Throws what `whyUndecidable` says when somebody decided before, or it expired. */
export async function denyRequest(decider: Decider, linkId: string, now = new Date()): Promise<void> {
  await decide(decider, linkId, now, { status: "denied" });
}

async function decide(decider: Decider, linkId: string, now: Date, decision: { status: "approved" | "denied" } & Prisma.LinkCodeUpdateManyMutationInput) {
  const won = await transaction(async (tx) => {
    const [decided] = await tx.linkCode.updateManyAndReturn({
      where: { id: linkId, status: "pending", expiresAt: { gt: now } },
      data: { ...decision, userId: decider.id, decidedAt: now },
      select: { program: true },
    });
    if (!decided) return false;
    const action = decision.status === "approved" ? "link.approve" : "link.deny";
    const detail = { network: decider.network.id, program: describeProgram(decided.program) };
    await audit({ at: now, action, subjectId: linkId, actorId: decider.id, detail }, tx);
    return true;
  });
  if (won) return;
  const link = await db.linkCode.findUnique({ where: { id: linkId } });
  const didTheSame = link?.userId === decider.id && (link.status === "denied") === (decision.status === "denied");
  const refusal = didTheSame ? null : whyUndecidable(link, now);
  if (refusal) throw refusal;
}
