import { Client } from "pg";
import { expect, test } from "vitest";
import { createKey } from "@/lib/keys/create";
import { revealData } from "@/lib/keys/view";
import { forgetDataKeys } from "@/lib/platform/crypto/data-keys";
import { currentUserKey, forgetUserKeys } from "@/lib/platform/crypto/user-keys";
import { db } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { makeUser } from "@/tests/support/user";

/**
 * As if a standby had taken over that had not received what the primary wrote last: every connection of this process
 * has ended.
 */
async function failOver(lost: string): Promise<void> {
  const client = new Client(env.DATABASE_URL);
  await client.connect();
  await client.query(lost);
  await client.query(`
    SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`);
  await client.end();
  await expect.poll(() => db.user.count().catch(() => 0)).toBeGreaterThan(0);
}

test("A key that a failover lost seals nothing any more", async () => {
  const user = { ...(await makeUser()), role: "user" as const };
  await currentUserKey(user.id);
  await failOver(`DELETE FROM "UserKey" WHERE "userId" = '${user.id}'`);
  const { id } = await createKey(user, { data: "kept", price: "1" });
  // Another process, or this one after a restart.
  forgetUserKeys();
  forgetDataKeys();
  expect(await revealData(user, id)).toBe("kept");
});
