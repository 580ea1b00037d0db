import { sql } from "@/lib/db/client";
import { usernameKey } from "@/lib/usernames";
import { holding } from "./rows";

/** Whether this user holds this key; false if either does not exist (contract, section 2: /keys/check). */
export async function holdsKey(username: string, keyId: string): Promise<boolean> {
  return (await sql.read(holding(usernameKey(username), keyId))).length > 0;
}
