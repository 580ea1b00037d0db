import { randomBytes } from "node:crypto";
import { expect, onTestFinished, test, vi } from "vitest";
import { openBytes, SEAL_BYTES, sealBytes } from "@/lib/platform/crypto/secrets";
import { currentUserKey, forgetUserKeys, userKey } from "@/lib/platform/crypto/user-keys";
import { db } from "@/lib/platform/db/client";
import { perProcess } from "@/lib/platform/process";
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
