import { db } from "@/lib/db/client";
import { accountDisabled, invalidToken } from "@/lib/errors";

/** The user who asks, found by token or session. */
export interface Caller {
  id: string;
  username: string;
  role: string;
}

/** The user whose token has this hash. Throws 401 `invalid_token` or 403 `account_disabled`. */
export async function findCaller(tokenHash: string): Promise<Caller> {
  const user = await db.user.findUnique({ where: { tokenHash }, select: { id: true, username: true, role: true, disabledAt: true } });
  if (!user) throw invalidToken();
  if (user.disabledAt) throw accountDisabled();
  return { id: user.id, username: user.username, role: user.role };
}
