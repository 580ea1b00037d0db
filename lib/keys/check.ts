import { sql } from "@/lib/db/client";
import { usernameKey } from "@/lib/usernames";
import { holding } from "./rows";

/**
 * How this user holds this key: until when, if that ends. Null if not at all, or if either does not exist (contract,
 * section 2: /keys/check).
 */
export async function holdingOf(username: string, keyId: string): Promise<{ until: Date | null } | null> {
  const [held] = await sql.readQuickly(holding(usernameKey(username), keyId));
  return held ? { until: held.until } : null;
}

/** Whether this user holds this key. */
export async function holdsKey(username: string, keyId: string): Promise<boolean> {
  return (await holdingOf(username, keyId)) !== null;
}
