import { audit, auditAll } from "@/lib/platform/audit";
import { db, type Statements, transaction } from "@/lib/platform/db/client";
import { lockUser } from "@/lib/platform/db/lock";
import { invalidParameter, passkeyNotFound } from "@/lib/platform/errors";
import { latestNow } from "@/lib/platform/time";
import type { ActorContext, NoticeContext } from "../../context";
import { isName, NAME_RULE } from "../../identity/access-tokens/create";
import { notify } from "../mail/outbox";
import { requireOtherSignInMethod } from "../providers";
import { MAX_PASSKEYS } from "./add";

const FOR_OPERATOR =
  "This is the user's only way to sign in. Create a link with user:recover first, or set a password.";

/** Gives a user's passkey another name. Returns it. Throws 400 `invalid_parameter` and 404 `passkey_not_found`. */
export async function renamePasskey(userId: string, id: string, input: string): Promise<string> {
  const name = input.trim();
  if (!isName(name)) throw invalidParameter(`The name ${NAME_RULE}.`, "name");
  const { count } = await db.passkey.updateMany({ where: { id, userId }, data: { name } });
  if (count === 0) throw passkeyNotFound();
  return name;
}

/**
 * Removes a user's passkey: it no longer signs anybody in. Returns its name. Throws 404 `passkey_not_found`, and 409
 * `last_way_in` if nothing else would let the user in. For the operator, that may also be an open recovery link.
 */
export async function removePasskey(
  userId: string,
  id: string,
  { actorId = userId, network, sessionId, now = new Date() }: ActorContext & NoticeContext = {},
): Promise<string> {
  return transaction(async (tx) => {
    await lockUser(tx, userId);
    const passkey = await tx.passkey.findFirst({ where: { id, userId }, select: { name: true } });
    if (!passkey) throw passkeyNotFound();
    if (actorId === userId) await requireOtherSignInMethod(tx, userId, { passkeyId: id });
    else if (
      (await tx.recoveryLink.count({
        where: { userId, expiresAt: { gt: now }, createdAt: { lte: latestNow(now) } },
      })) === 0
    )
      await requireOtherSignInMethod(tx, userId, { passkeyId: id, advice: FOR_OPERATOR });
    await tx.passkey.delete({ where: { id } });
    await notify(tx, userId, { kind: "passkey removed", network, sessionId, now });
    await audit({ at: now, action: "passkey.remove", subjectId: userId, actorId, detail: { name: passkey.name } }, tx);
    return passkey.name;
  }, "even on a full disk");
}

/** Removes all passkeys of a user, who has another way in. Lock the user first. */
export async function removeAllPasskeys(tx: Statements, userId: string, now: Date): Promise<void> {
  const removed = await tx.passkey.findMany({
    where: { userId },
    orderBy: { createdAt: "asc" },
    select: { name: true },
    take: MAX_PASSKEYS,
  });
  await tx.passkey.deleteMany({ where: { userId } });
  const event = { at: now, action: "passkey.remove", subjectId: userId, actorId: userId } as const;
  await auditAll(
    removed.map(({ name }) => ({ ...event, detail: { name } })),
    tx,
  );
}
