import { audit, OPERATOR } from "@/lib/platform/audit";
import { transaction } from "@/lib/platform/db/client";
import { lockUser } from "@/lib/platform/db/lock";
import type { ActorContext } from "../context";
import { ownAccount, userNotFound } from "../errors";
import { requireOtherAdmin } from "../identity/role";
import { findUser, keepKind } from "../identity/user";
import { endWaysIn } from "./end";

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
