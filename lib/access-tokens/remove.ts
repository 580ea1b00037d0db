import { type AuditEntry, audit } from "@/lib/audit";
import { transactionOnFullDisk } from "@/lib/db/client";
import { ApiError } from "@/lib/errors";
import { nameKey } from "./name";
import { forgetSealed } from "./sealed";

/**
 * Removes one of a user's access tokens, by its id or its name: it stops with the very next request. Returns its name.
 * Throws 404 `token_not_found`.
 */
export async function removeToken(
  userId: string,
  which: { id: string } | { name: string },
  actorId = userId,
  now = new Date(),
): Promise<string> {
  const where = "id" in which ? { id: which.id, userId } : { nameKey: nameKey(which.name.trim()), userId };
  return transactionOnFullDisk(async (tx) => {
    const token = await tx.accessToken.findFirst({ where, select: { id: true, name: true } });
    const { count } = await tx.accessToken.deleteMany({ where });
    if (!token || count === 0)
      throw new ApiError(404, "token_not_found", "There is no such token. It may have been removed already.");
    await forgetSealed([token.id], tx);
    // What somebody else does is about the account, so that its user sees it.
    const detail = { name: token.name };
    const about: Pick<AuditEntry, "subjectId" | "detail"> =
      actorId === userId
        ? { subjectId: token.id, detail }
        : { subjectId: userId, detail: { ...detail, token: token.id } };
    await audit({ at: now, action: "token.revoke", actorId, ...about }, tx);
    return token.name;
  });
}
