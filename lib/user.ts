import type { Access } from "@/lib/access";
import { db } from "@/lib/db/client";
import { userNotFound } from "@/lib/errors";
import { usernameKey } from "@/lib/usernames";
import type { User } from "@/prisma/generated/sqlite/client";

/** The access token that a request came with. */
export interface TokenInUse {
  id: string;
  name: string;
  access: Access;
  expiresAt: Date | null;
}

/** The calling user, found by token or session. */
export type Caller = Pick<User, "id" | "username" | "role"> & {
  /** Left out for the account's token, and for a session. */
  accessToken?: TokenInUse;
};

/** The user with this name, in any case of its letters. Throws 404 `user_not_found`. */
export async function findUser(username: string): Promise<Caller> {
  const user = await db.user.findUnique({
    where: { usernameKey: usernameKey(username) },
    select: { id: true, username: true, role: true },
  });
  if (!user) throw userNotFound();
  return user;
}
