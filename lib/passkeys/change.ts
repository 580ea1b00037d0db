import { isName, NAME_RULE } from "@/lib/access-tokens/name";
import { audit } from "@/lib/audit";
import { requireOtherWayIn } from "@/lib/auth/ways-in";
import { db, transaction } from "@/lib/db/client";
import { lockUser } from "@/lib/db/lock";
import { invalidParameter } from "@/lib/errors";
import { type DoneFrom, notify } from "@/lib/mail/outbox";
import { passkeyNotFound } from "./errors";

/** Gives a user's passkey another name. Returns it. Throws 400 `invalid_parameter` and 404 `passkey_not_found`. */
export async function renamePasskey(userId: string, id: string, wanted: string): Promise<string> {
  const name = wanted.trim();
  if (!isName(name)) throw invalidParameter(`The name ${NAME_RULE}.`, "name");
  const { count } = await db.passkey.updateMany({ where: { id, userId }, data: { name } });
  if (count === 0) throw passkeyNotFound();
  return name;
}

/**
 * Removes a user's passkey: it no longer signs anybody in. Returns its name. Throws 404 `passkey_not_found` and, unless
 * somebody else removes it, 409 `last_way_in` if nothing else would let the user in.
 */
export async function removePasskey(
  userId: string,
  id: string,
  actorId = userId,
  now = new Date(),
  from: DoneFrom = {},
): Promise<string> {
  return transaction(async (tx) => {
    await lockUser(tx, userId);
    const passkey = await tx.passkey.findFirst({ where: { id, userId }, select: { name: true } });
    if (!passkey) throw passkeyNotFound();
    if (actorId === userId) await requireOtherWayIn(tx, userId, { passkeyId: id });
    await tx.passkey.delete({ where: { id } });
    await notify(tx, userId, "passkey removed", from, now);
    await audit({ at: now, action: "passkey.remove", subjectId: userId, actorId, detail: { name: passkey.name } }, tx);
    return passkey.name;
  });
}
