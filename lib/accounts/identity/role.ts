import { audit, OPERATOR } from "@/lib/platform/audit";
import { type Statements, transaction } from "@/lib/platform/db/client";
import { lockUser } from "@/lib/platform/db/lock";
import { ApiError } from "@/lib/platform/errors";
import type { ActorContext } from "../context";
import { findUser, keepKind } from "./user";

/**
 * An administrator or the operator sets a role. Throws 404 `user_not_found`, and 409 `last_admin` if an administrator
 * takes it from the last one.
 */
export async function setRole(
  username: string,
  role: "admin" | "user",
  { actorId = OPERATOR, now = new Date() }: ActorContext = {},
): Promise<void> {
  const { id, username: named } = await findUser(username);
  await transaction(async (tx) => {
    await lockUser(tx, id);
    if (role === "user") await requireOtherAdmin(tx, id, actorId);
    await tx.user.update({ where: { id }, data: { role } });
    await keepKind(tx, id);
    await audit({ at: now, action: "user.role", subjectId: id, actorId, detail: { user: named, role } }, tx);
  });
}

/**
 * Throws 409 `last_admin` if an administrator takes the console from the last one who can open it. The operator may:
 * the command that gives a role needs no role. Lock the user first.
 */
export async function requireOtherAdmin(tx: Statements, userId: string, actorId: string): Promise<void> {
  if (actorId === OPERATOR) return;
  const admin = { role: "admin", disabledAt: null };
  if ((await tx.user.count({ where: { ...admin, id: userId } })) === 0) return;
  for (;;) {
    const other = await tx.user.findFirst({ where: { ...admin, id: { not: userId } }, select: { id: true } });
    if (!other) throw lastAdmin();
    // So that two administrators who act on each other at once do not both find the other.
    await lockUser(tx, other.id);
    if ((await tx.user.count({ where: { ...admin, id: other.id } })) === 1) return;
  }
}

const lastAdmin = () =>
  new ApiError(
    409,
    "last_admin",
    "This is the last administrator who can sign in. Make someone else an administrator first, or use the admin " +
      "command.",
  );
