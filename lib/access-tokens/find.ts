import { isAccess } from "@/lib/access";
import { sql } from "@/lib/db/client";
import { accountDisabled, invalidToken } from "@/lib/errors";
import { hashAccessToken } from "@/lib/tokens";
import type { Caller } from "@/lib/user";
import { works } from "./life";
import { tokenByHash } from "./rows";

/**
 * The user with this access token, if it works and its user may make requests. Throws 401 `invalid_token` or 403
 * `account_disabled`.
 */
export async function findTokenCaller(text: string, now = new Date()): Promise<Required<Caller>> {
  const [row] = await sql.readQuickly(tokenByHash(hashAccessToken(text)));
  if (!row || !isAccess(row.access) || !works(row, now)) throw invalidToken();
  if (row.disabledAt) throw accountDisabled();
  const { id, username, role, tokenId, name, access, expiresAt } = row;
  return { id, username, role, accessToken: { id: tokenId, name, access, expiresAt } };
}
