import { audit } from "@/lib/audit";
import { type InSession, requireRecentProof } from "@/lib/auth/recent-proof";
import { notFound } from "@/lib/errors";
import type { Caller } from "@/lib/user";

/** A signed-in user, in one of their browsers. */
export type Visitor = Caller & InSession;

/** Whether the console is there for this user. For everybody else it does not exist. */
export const isOperator = ({ role }: Pick<Caller, "role">) => role === "admin";

/**
 * Throws 404 `not_found` unless this user is an administrator, and records the refusal; 403 `proof_needed` unless they
 * proved who they are less than ten minutes ago. `what` names the action for the audit trail.
 */
export async function requireOperator(user: Visitor, what: string, now = new Date()): Promise<void> {
  if (!isOperator(user)) {
    await audit({ at: now, action: "console.refuse", subjectId: user.id, actorId: user.id, detail: { what } });
    throw notFound();
  }
  await requireRecentProof(user, now);
}
