import { type Access, storedAccess } from "@/lib/platform/access";
import { type AuditEntry, audit } from "@/lib/platform/audit";
import { couldBeToken, hashAccessToken, isAccessToken } from "@/lib/platform/crypto/tokens";
import { db, transaction } from "@/lib/platform/db/client";
import { ApiError } from "@/lib/platform/errors";
import { DAY_MS } from "@/lib/platform/time";
import type { ActorContext } from "../../context";
import { provingOf } from "./audiences";
import { nameKey } from "./create";
import { endOf, forgetSealed, works } from "./use";

/** A token of a program's own, as its user sees it: never the token itself. */
export interface ListedToken {
  id: string;
  name: string;
  access: Access;
  /** The servers to which it proves who its user is; null: any. */
  audiences: readonly string[] | null;
  createdAt: Date;
  /** To five minutes; null: never. */
  usedAt: Date | null;
  /** When it stops working; null: never. */
  endsAt: Date | null;
  /** Each use moves that: it ends because nobody uses it. */
  isUnused: boolean;
  /** `waiting`: its link was approved, and the program has not collected it yet. */
  state: "works" | "waiting" | "ended";
  /** The program that a link created it for, and its network. Null: created by hand. */
  createdFor: { program: string; network: string } | null;
}

/** A user's access tokens, latest first: 1,000 at most. */
export async function tokensOf(userId: string, now = new Date()): Promise<ListedToken[]> {
  const tokens = await db.accessToken.findMany({
    where: { userId },
    orderBy: [{ createdAt: "desc" }, { id: "asc" }],
    omit: { hash: true },
  });
  return tokens.map((token) => ({
    id: token.id,
    name: token.name,
    access: storedAccess(token.access),
    audiences: provingOf(token).audiences,
    createdAt: token.createdAt,
    usedAt: token.usedAt,
    endsAt: endOf(token),
    isUnused: endOf(token)?.getTime() !== token.expiresAt?.getTime(),
    state: token.startsAt === null ? "waiting" : works(token, now) ? "works" : "ended",
    createdFor: token.program === null ? null : { program: token.program, network: token.network ?? "" },
  }));
}

const SOON_MS = 7 * DAY_MS;

/** Those that stop within a week, the next first. */
export async function endingTokens(userId: string, now = new Date()): Promise<ListedToken[]> {
  const end = ({ endsAt }: ListedToken) => endsAt?.getTime() ?? Number.POSITIVE_INFINITY;
  return (await tokensOf(userId, now))
    .filter((token) => token.state === "works" && end(token) <= now.getTime() + SOON_MS)
    .sort((one, other) => end(one) - end(other));
}

/**
 * Removes one of a user's access tokens, by its id or its name: it stops with the very next request. Returns its name.
 * Throws 404 `token_not_found`.
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
