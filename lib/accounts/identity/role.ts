import { audit, OPERATOR } from "@/lib/platform/audit";
import { type Statements, transaction } from "@/lib/platform/db/client";
import { lockUser } from "@/lib/platform/db/lock";
import { ApiError, userNotFound } from "@/lib/platform/errors";
import type { ActorContext } from "../context";
import { endWaysIn } from "../ways-in/create";
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
 * An administrator or the operator disables an account, which immediately ends its sessions and blocks its token, or
 * enables it, which unblocks the token. Throws 404 `user_not_found`, 409 `own_account` if it is the administrator's
 * own, and 409 `last_admin`.
 */
export async function setDisabled(
  username: string,
  { disabled, actorId = OPERATOR, now = new Date() }: ActorContext & { disabled: boolean },
): Promise<void> {
  const { id, username: named } = await findUser(username);
  const action = disabled ? "user.disable" : "user.enable";
  if (id === actorId) throw ownAccount(action);
  await transaction(async (tx) => {
    await lockUser(tx, id);
    if (disabled) await requireOtherAdmin(tx, id, actorId);
    const { count } = await tx.user.updateMany({
      where: { id, deletingAt: null },
      data: { disabledAt: disabled ? now : null },
    });
    if (count === 0) throw userNotFound();
    await keepKind(tx, id);
    if (disabled) {
      await endWaysIn(tx, id);
    }
    await audit({ at: now, action, subjectId: id, actorId, detail: { user: named } }, tx);
  }, "even on a full disk");
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

/** An administrator cannot lock themselves out in passing. */
export const ownAccount = (action: "user.disable" | "user.enable" | "user.delete") =>
  new ApiError(409, "own_account", OWN_ACCOUNT[action]);

const NOT_YOURS = "your own account here. Another administrator can, or the admin command.";
const OWN_ACCOUNT = {
  "user.disable": `You can't disable ${NOT_YOURS}`,
  "user.enable": `You can't enable ${NOT_YOURS}`,
  "user.delete": "This is your own account. Delete it under Account.",
};

const lastAdmin = () =>
  new ApiError(
    409,
    "last_admin",
    "This is the last administrator who can sign in. Make someone else an administrator first, or use the admin " +
      "command.",
  );
