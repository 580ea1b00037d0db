import { audit, OPERATOR } from "@/lib/platform/audit";
import { transaction } from "@/lib/platform/db/client";
import { ApiError } from "@/lib/platform/errors";
import type { NetworkContext } from "../context";
import { replaceToken } from "../identity/token";
import { findUser, keepKind } from "../identity/user";
import { fromSession, provePassword, type SignedInUser } from "./confirm";
import { endWaysIn } from "./end";
import { hashedFor } from "./limits";
import { notify } from "./mail/outbox";
import { BY_OPERATOR, checkPassword, hashPassword } from "./passwords";

/**
 * The operator sets a password without knowing the former one, and signs the user out everywhere. Throws 404
 * `user_not_found`, 400 for a bad password.
 */
export async function setPassword(username: string, password: string, now = new Date()): Promise<void> {
  await checkPassword(password);
  const { id } = await findUser(username);
  const passwordHash = await hashPassword(password, BY_OPERATOR);
  await transaction(async (tx) => {
    await tx.user.update({ where: { id }, data: { passwordHash } });
    await keepKind(tx, id);
    await endWaysIn(tx, id);
    await audit({ at: now, action: "user.password", subjectId: id, actorId: OPERATOR, detail: { user: username } }, tx);
    await notify(tx, id, { kind: "password changed", now });
  }, "even on a full disk");
}

/**
 * Changes a user's own password, signs out every other browser and ends open links. With `alsoToken`, the
 * user gets a new token in the same step. An account without a password gets its first one, after another recent proof.
 * Returns the new hash. Throws as `provePassword` does, and 400 for a password that is too short.
 */
export async function changePassword(
  user: SignedInUser,
  { current, next, alsoToken = false }: { current: string; next: string; alsoToken?: boolean },
  { network, now = new Date() }: NetworkContext,
): Promise<string> {
  await checkPassword(next);
  const passwordHash = await provePassword(user, current, { network, now });
  const replaced = await hashPassword(next, hashedFor(fromSession(user, network)));
  await transaction(async (tx) => {
    const { count } = await tx.user.updateMany({
      where: { id: user.id, passwordHash },
      data: { passwordHash: replaced },
    });
    if (count === 0) throw new ApiError(409, "password_changed", "The password has been changed since. Sign in again.");
    await keepKind(tx, user.id);
    await endWaysIn(tx, user.id, user.sessionId);
    await audit({ at: now, action: "user.password", subjectId: user.id, actorId: user.id }, tx);
    await notify(tx, user.id, { kind: "password changed", network, sessionId: user.sessionId, now });
    if (alsoToken) await replaceToken(tx, user.id, { now });
  }, "even on a full disk");
  return replaced;
}
