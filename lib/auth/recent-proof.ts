import { db } from "@/lib/db/client";
import { ApiError } from "@/lib/errors";

/** For how long a proof counts: signing in, the password, or a passkey. */
export const PROOF_MS = 10 * 60_000;

/** A user in one of their browsers. */
export interface InSession {
  id: string;
  sessionId: string;
}

/** What pages recognize, to ask for a proof. */
export const PROOF_NEEDED = "proof_needed";

/**
 * Whether this session's user proved who they are less than ten minutes ago. A proof in another browser does not count.
 */
export async function hasRecentProof({ id: userId, sessionId }: InSession, now = new Date()): Promise<boolean> {
  const session = await db.session.findUnique({
    where: { id: sessionId, userId, expiresAt: { gt: now }, user: { disabledAt: null } },
    select: { createdAt: true, provenAt: true },
  });
  if (!session) return false;
  const { createdAt, provenAt } = session;
  return (provenAt ?? createdAt).getTime() > now.getTime() - PROOF_MS;
}

/** Throws 403 `proof_needed` unless `hasRecentProof`. */
export async function requireRecentProof(user: InSession, now = new Date()): Promise<void> {
  if (!(await hasRecentProof(user, now)))
    throw new ApiError(403, PROOF_NEEDED, "Confirm it's you first, with your passkey or password.");
}

/** Records that this session's user has just proved who they are. Nothing, if it has ended or the user is disabled. */
export async function recordProof({ id: userId, sessionId }: InSession, now: Date): Promise<void> {
  await db.session.updateMany({
    where: { id: sessionId, userId, expiresAt: { gt: now }, user: { disabledAt: null } },
    data: { provenAt: now },
  });
}
