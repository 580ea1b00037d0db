import { randomBytes } from "node:crypto";
import { expect, onTestFinished, test, vi } from "vitest";
import { createKey } from "@/lib/keys/create";
import { revealData } from "@/lib/keys/view";
import { forgetDataKeys } from "@/lib/platform/crypto/data-keys";
import { openBytes, SEAL_BYTES, sealBytes } from "@/lib/platform/crypto/secrets";
import { currentUserKey, forgetUserKeys, userKey } from "@/lib/platform/crypto/user-keys";
import { db } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { perProcess } from "@/lib/platform/process";
import { tellPostgres } from "@/tests/support/databases";
import { makeUser } from "@/tests/support/user";

const message = Buffer.from("a secret");
const keysInMemory = perProcess("keys in memory", () => new Map<string, unknown>());

test("What a user's key sealed opens with the stored key, in this context only", async () => {
  const { id } = await makeUser();
  const { number, key } = await currentUserKey(id);
  const sealed = sealBytes(key, message, "here");
  expect(sealed).toHaveLength(message.length + SEAL_BYTES);
  forgetUserKeys();
  const stored = await userKey({ userId: id, number });
  if (!stored) throw new Error("The stored key does not open.");
  expect(openBytes(stored, sealed, "here")).toEqual(message);
  expect(() => openBytes(stored, sealed, "elsewhere")).toThrow();
});

test("No two messages are sealed with the same nonce", async () => {
  const { key } = await currentUserKey((await makeUser()).id);
  const nonces = Array.from({ length: 1_000 }, () => sealBytes(key, message, "").toString("hex", 0, 12));
  expect(new Set(nonces).size).toBe(1_000);
});

test("Processes that store something for a new user at the same time use one key", async () => {
  const { id } = await makeUser();
  const keys = await Promise.all(
    Array.from({ length: 8 }, () => {
      forgetUserKeys();
      return currentUserKey(id);
    }),
  );
  const sealed = sealBytes((keys[0] ?? (await currentUserKey(id))).key, message, "");
  for (const { key, number } of keys) {
    expect(number).toBe(1);
    expect(openBytes(key, sealed, "")).toEqual(message);
  }
});

test("A user's key that was changed, or moved from another user, is refused", async () => {
  const [one, other] = [await makeUser(), await makeUser()];
  await currentUserKey(one.id);
  await currentUserKey(other.id);
  const { wrapped } = await db.userKey.findFirstOrThrow({ where: { userId: other.id } });
  for (const wrong of [wrapped, randomBytes(60)]) {
    await db.userKey.updateMany({ where: { userId: one.id }, data: { wrapped: wrong } });
    forgetUserKeys();
    await expect(currentUserKey(one.id)).rejects.toThrow("is damaged");
    expect(await userKey({ userId: one.id, number: 1 })).toBeUndefined();
  }
});

test("A key that the database no longer has is replaced with the stored one", async () => {
  const { id } = await makeUser();
  await currentUserKey(id);
  // A standby that had not received it has become the primary, where another process has stored something.
  await db.userKey.deleteMany({ where: { userId: id } });
  const here = keysInMemory.get("users' keys");
  forgetUserKeys();
  const stored = await currentUserKey(id);
  keysInMemory.set("users' keys", here);
  const later = performance.now() + 61_000;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => later);
  onTestFinished(() => clock.mockRestore());
  expect((await currentUserKey(id)).key.equals(stored.key)).toBe(true);
});

test("The key goes with the account", async () => {
  const { id } = await makeUser();
  await currentUserKey(id);
  await db.user.delete({ where: { id } });
  expect(await db.userKey.count({ where: { userId: id } })).toBe(0);
});

/**
 * As if a standby had taken over that had not received what the primary wrote last: every connection of this process
 * has ended.
 */
async function failOver(lost: string): Promise<void> {
  const end = `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`;
  await tellPostgres(env.DATABASE_URL, lost, end);
  await expect.poll(() => db.user.count().catch(() => 0)).toBeGreaterThan(0);
}

if (env.DATABASE_URL)
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
