import type { Caller } from "@/lib/accounts/identity/user";
import { requireRecentProof } from "@/lib/accounts/session/proof";
import type { InSession } from "@/lib/accounts/session/sessions";
import { audit, OPERATOR } from "@/lib/platform/audit";
import { db } from "@/lib/platform/db/client";
import { notFound } from "@/lib/platform/errors";

/** The admin command as a caller: like an administrator, it manages every key, and holds none. */
export const AS_OPERATOR: Caller = { id: OPERATOR, username: OPERATOR, role: "admin" };

/** Whether somebody can open the console. */
export async function hasAdministrator(): Promise<boolean> {
  return (await db.user.findFirst({ where: { role: "admin" }, select: { id: true } })) !== null;
}

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

/**
 * Whether there is a page at this path of the console for this user: all for an administrator. One page tells any user
 * of a service without an administrator how there will be one.
 */
export async function isConsoleThere(user: Pick<Caller, "role">, path: string): Promise<boolean> {
  return isOperator(user) || (/^\/admin\/?$/.test(path) && !(await hasAdministrator()));
}
