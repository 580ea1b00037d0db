import { audit } from "@/lib/audit";
import { db, transaction } from "@/lib/db/client";
import { accountDisabled } from "@/lib/errors";
import type { Prisma } from "@/prisma/generated/sqlite/client";
import { type Person, unusable } from "./find";
import { COLLECT_WITHIN_SECONDS, secondsAfter } from "./lifetimes";
import { describeProgram } from "./program";

/**
 * Lets the program collect the user's token. One decision wins; doing the same again changes nothing. Throws 403
 * `account_disabled`, or 409 `code_unusable` to who came too late, whatever became of the code.
 */
export async function approveRequest(person: Person, linkId: string, now = new Date()): Promise<void> {
  const user = await db.user.findUnique({ where: { id: person.id }, select: { tokenHash: true, disabledAt: true } });
  if (!user || user.disabledAt) throw accountDisabled();
  await decide(person, linkId, now, { status: "approved", collectBy: secondsAfter(now, COLLECT_WITHIN_SECONDS), tokenHash: user.tokenHash });
}

/** Turns the program away. Throws 409 `code_unusable` when somebody decided before, or it expired. */
export async function denyRequest(person: Person, linkId: string, now = new Date()): Promise<void> {
  await decide(person, linkId, now, { status: "denied" });
}

async function decide(person: Person, linkId: string, now: Date, decision: { status: "approved" | "denied" } & Prisma.LinkCodeUpdateManyMutationInput) {
  const won = await transaction(async (tx) => {
    const [decided] = await tx.linkCode.updateManyAndReturn({
      where: { id: linkId, status: "pending", expiresAt: { gt: now } },
      data: { ...decision, userId: person.id, decidedAt: now },
      select: { program: true },
    });
    if (!decided) return false;
    const action = decision.status === "approved" ? "link.approve" : "link.deny";
    const detail = { network: person.network.id, program: describeProgram(decided.program) };
    await audit({ at: now, action, subjectId: linkId, actorId: person.id, detail }, tx);
    return true;
  });
  if (won) return;
  const link = await db.linkCode.findUnique({ where: { id: linkId } });
  const didTheSame = link?.userId === person.id && (link.status === "denied") === (decision.status === "denied");
  if (!didTheSame) throw unusable();
}
