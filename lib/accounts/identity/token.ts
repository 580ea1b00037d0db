import { audit } from "@/lib/platform/audit";
import { mintToken, openToken, tokenHashes } from "@/lib/platform/crypto/tokens";
import { db, type Statements, sql, transaction } from "@/lib/platform/db/client";
import type { ActorContext } from "../context";
import { accountDisabled, invalidToken } from "../errors";
import { type StoredCaller, userByToken } from "./queries";
import type { Caller } from "./user";

export type { StoredCaller } from "./queries";

/**
 * The hash that this token is stored under, if it exists. A lookup is needed only while AUTH_SECRET names several
 * secrets, until `secrets:rotate` has brought all tokens under the first.
 */
export function storedTokenHash(token: string): string | Promise<string> {
  const [hash, ...former] = tokenHashes(token);
  if (former.length === 0) return hash;
  return db.user
    .findFirst({ where: { tokenHash: { in: [hash, ...former] } }, select: { tokenHash: true } })
    .then((user) => user?.tokenHash ?? hash);
}

/** The user whose token has this hash. Throws as `activeCaller` does. */
export async function findCaller(tokenHash: string): Promise<Caller> {
  const [user] = await sql.readQuickly(userByToken(tokenHash));
  return activeCaller(user);
}

/** The user, if allowed to make requests. Throws 401 `invalid_token` or 403 `account_disabled`. */
export function activeCaller(user: StoredCaller | undefined): Caller {
  if (!user) throw invalidToken();
  if (user.disabledAt) throw accountDisabled();
  return { id: user.id, username: user.username, role: user.role };
}

/** The user's token, to show it to its user. Showing it to anybody else is recorded in the audit trail. */
export async function revealToken(
  userId: string,
  { actorId = userId, now = new Date() }: ActorContext = {},
): Promise<string> {
  if (actorId !== userId) await audit({ at: now, action: "token.reveal", subjectId: userId, actorId });
  const { tokenSealed } = await db.user.findUniqueOrThrow({ where: { id: userId }, select: { tokenSealed: true } });
  return openToken(tokenSealed, userId);
}

/** Since when the user has this token. */
export async function tokenCreatedAt(userId: string): Promise<Date> {
  const { tokenAt } = await db.user.findUniqueOrThrow({ where: { id: userId }, select: { tokenAt: true } });
  return tokenAt;
}

/**
 * Gives the user a new token and returns it. The old one stops working immediately, as do approved links that were not
 * collected yet.
 */
export function rotateToken(userId: string, context: ActorContext = {}): Promise<string> {
  return transaction((tx) => replaceToken(tx, userId, context), "even on a full disk");
}

/** The same within a transaction. */
export async function replaceToken(
  tx: Statements,
  userId: string,
  { actorId = userId, now = new Date() }: ActorContext,
): Promise<string> {
  const { token, stored } = mintToken(userId);
  await tx.user.update({ where: { id: userId }, data: { ...stored, tokenAt: now } });
  await audit({ at: now, action: "token.rotate", subjectId: userId, actorId }, tx);
  return token;
}
