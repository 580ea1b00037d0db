import { db, sql } from "@/lib/db/client";
import { accountDisabled, invalidToken } from "@/lib/errors";
import { tokenHashes } from "@/lib/tokens";
import type { Caller } from "@/lib/user";
import { type StoredCaller, userByToken } from "./rows";

export type { StoredCaller } from "./rows";

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
