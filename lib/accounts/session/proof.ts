import { audit } from "@/lib/platform/audit";
import { PROOF_MS } from "@/lib/platform/bounds";
import { db, transaction } from "@/lib/platform/db/client";
import { openAt } from "@/lib/platform/db/lock";
import { ApiError } from "@/lib/platform/errors";
import { isRecent, later, latestNow } from "@/lib/platform/time";
import type { InSession } from "./sessions";

/** What pages recognize, to ask for a proof. */
export const PROOF_NEEDED = "proof_needed";

/**
 * Whether this session's user proved who they are within `PROOF_MS`. A proof in another browser does not count.
 */
export async function hasRecentProof({ id: userId, sessionId }: InSession, now = new Date()): Promise<boolean> {
  const session = await db.session.findUnique({
    where: { id: sessionId, userId, ...openAt(now) },
    select: { createdAt: true, provenAt: true },
  });
  if (!session) return false;
  return isRecent(PROOF_MS, session.provenAt ?? session.createdAt, now);
}

/** Throws 403 `proof_needed` unless `hasRecentProof`. */
export async function requireRecentProof(user: InSession, now = new Date()): Promise<void> {
  if (!(await hasRecentProof(user, now)))
    throw new ApiError(403, PROOF_NEEDED, "Confirm it's you first, with your passkey or password.");
}

/**
 * Records that this session's user has just proved who they are, in the history of the account if it is the first time
 * in ten minutes. Nothing, if the session has ended or the user is disabled.
 */
export async function recordProof(
  { id: userId, sessionId }: InSession,
  through: "passkey" | "password",
  now: Date,
): Promise<void> {
  const here = { id: sessionId, userId, ...openAt(now) };
  const former = [{ provenAt: { lte: later(now, -PROOF_MS) } }, { provenAt: { gt: latestNow(now) } }];
  const isFirst = { OR: [{ provenAt: null }, ...former] };
  const data = { provenAt: now };
  await transaction(async (tx) => {
    if ((await tx.session.updateMany({ where: { ...here, ...isFirst }, data })).count === 1)
      await audit({ at: now, action: "user.confirm", subjectId: userId, actorId: userId, detail: { through } }, tx);
    else await tx.session.updateMany({ where: here, data });
  }, "even on a full disk");
}
