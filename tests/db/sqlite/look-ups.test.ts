import { expect, test } from "vitest";
import { findCaller } from "@/lib/auth/caller";
import { rotateToken } from "@/lib/auth/tokens";
import { db, lookUps } from "@/lib/db/client";
import { holdsKey } from "@/lib/keys/check";
import { createKey } from "@/lib/keys/create";
import { findAs } from "@/lib/keys/find";
import { addHolder, revokeHolder } from "@/lib/keys/holders";
import { updateKey } from "@/lib/keys/update";
import { hashToken } from "@/lib/tokens";
import { runAdmin } from "@/tests/support/admin";
import { statementsOf } from "@/tests/support/statements";
import { makeUser } from "@/tests/support/user";

const asViewer = (user: { id: string; username: string }) => ({ ...user, role: "user" });

async function heldKey() {
  const [creator, holder] = [await makeUser(), await makeUser()];
  const { id } = await createKey(asViewer(creator), { data: "a secret", price: "1" });
  const { row } = await findAs(hashToken(creator.token), id);
  await addHolder(asViewer(creator), row, holder.username);
  return { creator, holder, id, row };
}

test("a look-up is answered from memory while nothing is committed", async () => {
  const { creator, id } = await heldKey();
  const ask = () => findAs(hashToken(creator.token), id);
  const first = await ask();
  expect(await statementsOf(ask)).toEqual([]);
  expect(await ask()).toEqual(first);
});

test("what it answers cannot be changed by who asked", async () => {
  const { id } = await heldKey();
  const ask = () => lookUps.$queryRaw<{ name: string }[]>`SELECT "name" FROM "Key" WHERE "id" = ${id}`;
  const [row] = await ask();
  expect(() => Object.assign(row ?? {}, { name: "another" })).toThrow(TypeError);
});

test("a rotated token is refused by the very next request", async () => {
  const user = await makeUser();
  const tokenHash = hashToken(user.token);
  await findCaller(tokenHash);
  await rotateToken(user.id);
  await expect(findCaller(tokenHash)).rejects.toThrow("Invalid token");
});

test("a revoked holder reads nothing with the very next request, and an added one reads", async () => {
  const { creator, holder, id, row } = await heldKey();
  for (let round = 0; round < 20; round++) {
    expect((await findAs(hashToken(holder.token), id)).row.since).not.toBeNull();
    expect(await holdsKey(holder.username, id)).toBe(true);
    await revokeHolder(asViewer(creator), row, holder.username);
    expect((await findAs(hashToken(holder.token), id)).row.since).toBeNull();
    expect(await holdsKey(holder.username, id)).toBe(false);
    await addHolder(asViewer(creator), row, holder.username);
  }
});

test("a change is read by the very next request", async () => {
  const { creator, holder, id, row } = await heldKey();
  for (let n = 0; n < 20; n++) {
    await updateKey(asViewer(creator), row, { field: "data", value: `secret ${n}` });
    expect((await findAs(hashToken(holder.token), id)).row.data).toBe(`secret ${n}`);
  }
});

test("so is what the admin command changes, in a process of its own", async () => {
  const user = await makeUser();
  const tokenHash = hashToken(user.token);
  const { PATH, DATA_DIR, AUTH_SECRET } = process.env;
  const admin = (...sent: string[]) => runAdmin(sent, { PATH, DATA_DIR, AUTH_SECRET, NODE_ENV: "test" });
  await findCaller(tokenHash);
  expect(await admin("user:disable", user.username)).toMatchObject({ status: 0 });
  await expect(findCaller(tokenHash)).rejects.toThrow("disabled");
  expect(await admin("user:enable", user.username)).toMatchObject({ status: 0 });
  expect(await findCaller(tokenHash)).toMatchObject({ id: user.id });
  expect(await admin("user:token", user.username, "--rotate")).toMatchObject({ status: 0 });
  await expect(findCaller(tokenHash)).rejects.toThrow("Invalid token");
});

test("what is too large to be kept is read each time, and right", async () => {
  const creator = await makeUser();
  const { id } = await createKey(asViewer(creator), { data: "x".repeat(60_000), price: "1" });
  const ask = () => findAs(hashToken(creator.token), id);
  await ask();
  expect(await statementsOf(ask)).toHaveLength(1);
  expect((await ask()).row.data).toHaveLength(60_000);
  expect(await db.key.count({ where: { id } })).toBe(1);
});
