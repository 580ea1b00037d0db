import { db, lookUps, type SqlStatements, sql } from "@/lib/db/client";
import { ApiError, accountDisabled, invalidToken, keyNotFound, userNotFound } from "@/lib/errors";
import { usernameKey } from "@/lib/usernames";

/** The one who asks, as far as keys care. */
export interface Viewer {
  id: string;
  username: string;
  role: string;
}

/** A key as it is stored, with what one viewer is to it. */
export interface KeyRow {
  id: string;
  creatorId: string;
  creator: string;
  name: string;
  data: string;
  price: string;
  createdAt: Date;
  updatedAt: Date;
  /** Since when the viewer holds the key; null when not. */
  since: Date | null;
}

interface Found extends Omit<KeyRow, "id"> {
  id: string | null;
  viewerId: string;
  username: string;
  role: string;
  disabledAt: Date | null;
}

/**
 * The user behind a token and the key with this id, in one statement. Throws 401 `invalid_token`, 403 `account_disabled`
 * and 404 `key_not_found`, in that order.
 */
export async function findAs(tokenHash: string, keyId: string): Promise<{ viewer: Viewer; row: KeyRow }> {
  const [found] = await lookUps.$queryRaw<Found[]>`
    SELECT u."id" AS "viewerId", u."username", u."role", u."disabledAt",
           k."id", k."creatorId", c."username" AS "creator", k."name", k."data", k."price", k."createdAt", k."updatedAt", h."since"
    FROM "User" u
    LEFT JOIN "Key" k ON k."id" = ${keyId}
    LEFT JOIN "User" c ON c."id" = k."creatorId"
    LEFT JOIN "Holder" h ON h."keyId" = k."id" AND h."userId" = u."id" AND h."hiddenAt" IS NULL
    WHERE u."tokenHash" = ${tokenHash}`;
  if (!found) throw invalidToken();
  if (found.disabledAt) throw accountDisabled();
  const { viewerId, username, role, disabledAt, id, ...row } = found;
  if (id === null) throw keyNotFound();
  return { viewer: { id: viewerId, username, role }, row: { id, ...row } };
}

/** The key with this id for a viewer who is known already. Throws 404 `key_not_found`. */
export async function findFor(viewer: Viewer, keyId: string, statements: SqlStatements = sql): Promise<KeyRow> {
  const [found] = await statements.$queryRaw<KeyRow[]>`
    SELECT k."id", k."creatorId", c."username" AS "creator", k."name", k."data", k."price", k."createdAt", k."updatedAt", h."since"
    FROM "Key" k JOIN "User" c ON c."id" = k."creatorId"
    LEFT JOIN "Holder" h ON h."keyId" = k."id" AND h."userId" = ${viewer.id} AND h."hiddenAt" IS NULL
    WHERE k."id" = ${keyId}`;
  if (!found) throw keyNotFound();
  return found;
}

/** Whether the viewer manages the key: its creator does, and an admin (contract, section 2). */
export function manages(viewer: Viewer, key: { creatorId: string }): boolean {
  return viewer.id === key.creatorId || viewer.role === "admin";
}

/** Throws 403 `not_creator` unless the viewer manages the key. */
export function mustManage(viewer: Viewer, key: { creatorId: string }): void {
  if (!manages(viewer, key)) throw new ApiError(403, "not_creator", "Only the key's creator can do this.");
}

/** The user to be added or revoked. Throws 404 `user_not_found`. */
export async function findTarget(name: string): Promise<{ id: string; username: string }> {
  const user = await db.user.findUnique({ where: { usernameKey: usernameKey(name) }, select: { id: true, username: true } });
  if (!user) throw userNotFound();
  return user;
}
