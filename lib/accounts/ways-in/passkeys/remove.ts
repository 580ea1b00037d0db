import { audit, auditAll } from "@/lib/platform/audit";
import { type Statements, transaction } from "@/lib/platform/db/client";
import { lockUser } from "@/lib/platform/db/lock";
import { latestNow } from "@/lib/platform/time";
import type { ActorContext, NoticeContext } from "../../context";
import { passkeyNotFound } from "../../errors";
import { requireOtherSignInMethod } from "../last-way-in";
import { notify } from "../mail/outbox";
import { MAX_PASSKEYS } from "./list";

const FOR_OPERATOR =
  "This is the user's only way to sign in. Create a link with user:recover first, or set a password.";

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
