import { db, lookUps } from "@/lib/db/client";
import { accountDisabled, invalidToken } from "@/lib/errors";
import { tokenHashes } from "@/lib/tokens";

/** The user who asks, found by token or session. */
export interface Caller {
  id: string;
  username: string;
  role: string;
}

/**
 * The hash that this token is stored under, if it is anybody's. It has to be looked up only while AUTH_SECRET names several
 * secrets, until `secrets:rotate` has brought all tokens under the first.
 */
export function storedTokenHash(token: string): string | Promise<string> {
  const [hash, ...former] = tokenHashes(token);
  if (former.length === 0) return hash;
  return db.user.findFirst({ where: { tokenHash: { in: [hash, ...former] } }, select: { tokenHash: true } }).then((user) => user?.tokenHash ?? hash);
}

/** The user whose token has this hash. Throws 401 `invalid_token` or 403 `account_disabled`. */
export async function findCaller(tokenHash: string): Promise<Caller> {
  const [user] = await lookUps.$queryRaw<(Caller & { disabledAt: Date | null })[]>`
    SELECT "id", "username", "role", "disabledAt" FROM "User" WHERE "tokenHash" = ${tokenHash}`;
  if (!user) throw invalidToken();
  if (user.disabledAt) throw accountDisabled();
  return { id: user.id, username: user.username, role: user.role };
}
