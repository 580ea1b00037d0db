import { expect, test } from "vitest";
import { findCaller } from "@/lib/auth/caller";
import { rotateToken } from "@/lib/auth/rotate-token";
import { holdsKey } from "@/lib/keys/check";
import { createKey } from "@/lib/keys/create";
import { findKey } from "@/lib/keys/find";
import { addHolder, revokeHolder } from "@/lib/keys/holders";
import { revealData } from "@/lib/keys/reveal";
import { updateKey } from "@/lib/keys/update";
import { hashToken } from "@/lib/tokens";
import { runAdmin } from "@/tests/support/admin";
import { makeUser } from "@/tests/support/user";

const asViewer = (user: { id: string; username: string }) => ({ ...user, role: "user" });

async function heldKey() {
  const [creator, holder] = [await makeUser(), await makeUser()];
  const { id } = await createKey(asViewer(creator), { data: "a secret", price: "1" });
  const row = await findKey(asViewer(creator), id);
  await addHolder(asViewer(creator), row, holder.username);
  return { creator, holder, id, row };
}

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
    expect((await findKey(asViewer(holder), id)).since).not.toBeNull();
    expect(await holdsKey(holder.username, id)).toBe(true);
    await revokeHolder(asViewer(creator), row, holder.username);
    expect((await findKey(asViewer(holder), id)).since).toBeNull();
    expect(await holdsKey(holder.username, id)).toBe(false);
    await addHolder(asViewer(creator), row, holder.username);
  }
});

test("a change is read by the very next request", async () => {
  const { creator, holder, id, row } = await heldKey();
  for (let n = 0; n < 20; n++) {
    await updateKey(asViewer(creator), row, { field: "data", value: `secret ${n}` });
    expect(await revealData(asViewer(holder), id)).toBe(`secret ${n}`);
  }
});

test("so is a change by the admin command, in its own process", async () => {
  const user = await makeUser();
  const tokenHash = hashToken(user.token);
  const { PATH, DATA_DIR, DATABASE_URL, AUTH_SECRET } = process.env;
  const admin = (...sent: string[]) => runAdmin(sent, { PATH, DATA_DIR, DATABASE_URL, AUTH_SECRET, NODE_ENV: "test" });
  await findCaller(tokenHash);
  expect(await admin("user:disable", user.username)).toMatchObject({ status: 0 });
  await expect(findCaller(tokenHash)).rejects.toThrow("disabled");
  expect(await admin("user:token", user.username, "--rotate")).toMatchObject({ status: 0 });
  await expect(findCaller(tokenHash)).rejects.toThrow("Invalid token");
});
