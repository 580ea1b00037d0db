import type { ActorContext } from "@/lib/accounts/context";
import { nameKey } from "@/lib/accounts/identity/names";
import { forgetSealed } from "@/lib/link/sealed";
import { type AuditEntry, audit } from "@/lib/platform/audit";
import { couldBeToken, hashAccessToken, isAccessToken } from "@/lib/platform/crypto/tokens";
import { db, transaction } from "@/lib/platform/db/client";
import { ApiError } from "@/lib/platform/errors";

/**
 * Removes one of a user's access tokens, by its id or its name, with what its link stored of it: it stops with the very
 * next request. Returns its name. Throws 404 `token_not_found`.
 */
export async function removeToken(
  userId: string,
  which: { id: string } | { name: string },
  { actorId = userId, now = new Date(), through }: ActorContext & { through?: string } = {},
): Promise<string> {
  const where = "id" in which ? { id: which.id, userId } : { nameKey: nameKey(which.name.trim()), userId };
  return transaction(async (tx) => {
    const token = await tx.accessToken.findFirst({ where, select: { id: true, name: true } });
    const { count } = await tx.accessToken.deleteMany({ where });
    if (!token || count === 0)
      throw new ApiError(404, "token_not_found", "There is no such token. It may have been removed already.");
    await forgetSealed([token.id], tx);
    // What somebody else does is about the account, so that its user sees it.
    const detail = { name: token.name, ...(through && { through }) };
    const about: Pick<AuditEntry, "subjectId" | "detail"> =
      actorId === userId
        ? { subjectId: token.id, detail }
        : { subjectId: userId, detail: { ...detail, token: token.id } };
    await audit({ at: now, action: "token.revoke", actorId, ...about }, tx);
    return token.name;
  }, "even on a full disk");
}

/**
 * Ends a program's own token at its own request. For the account's token, nothing happens, whether it works or not:
 * only its user can replace that.
 */
export async function endToken(text: string): Promise<"ended" | "unknown" | "the account's"> {
  if (!couldBeToken(text)) return "unknown";
  if (!isAccessToken(text)) return "the account's";
  const token = await db.accessToken.findUnique({ where: { hash: hashAccessToken(text) } });
  if (!token) return "unknown";
  try {
    await removeToken(token.userId, { id: token.id }, { through: token.name });
  } catch (error) {
    // Its user was faster.
    if (!(error instanceof ApiError && error.code === "token_not_found")) throw error;
  }
  return "ended";
}
