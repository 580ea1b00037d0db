import { lookUps } from "@/lib/db/client";
import { usernameKey } from "@/lib/usernames";

/** Whether this user holds this key; false where either does not exist (contract, section 2: /keys/check). */
export async function holdsKey(username: string, keyId: string): Promise<boolean> {
  const rows = await lookUps.$queryRaw<unknown[]>`
    SELECT 1 AS "held" FROM "User" u JOIN "Holder" h ON h."userId" = u."id" AND h."keyId" = ${keyId}
    WHERE u."usernameKey" = ${usernameKey(username)}`;
  return rows.length > 0;
}
