import { describe, expect, test } from "vitest";
import { setRole } from "@/lib/auth/standing";
import { createKey } from "@/lib/keys/create";
import { findKey } from "@/lib/keys/find";
import { addHolder, revokeHolder } from "@/lib/keys/holders";
import { keysOf } from "@/lib/keys/mine";
import { recordFor } from "@/lib/keys/record";
import { revealData } from "@/lib/keys/reveal";
import { trailOf } from "@/lib/keys/trail";
import { updateKey } from "@/lib/keys/update";
import type { Caller } from "@/lib/user";
import { makeUser } from "@/tests/support/user";

const SECRET = "a secret that no admin reads";
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => "answered",
    (error) => `${error.status} ${error.code}`,
  );

async function makeAdmin(): Promise<Caller> {
  const { id, username } = await makeUser();
  await setRole(username, "admin");
  return { id, username, role: "admin" };
}

/** Somebody's key, as an admin finds it. */
async function somebodysKey(admin: Caller) {
  const creator: Caller = { ...(await makeUser()), role: "user" };
  const { id } = await createKey(creator, { data: SECRET, price: "1", name: "Private" });
  return { creator, id, row: () => findKey(admin, id) };
}

describe("an admin", () => {
  test("cannot add itself to a key for its role's sake, and reads nothing of it", async () => {
    const admin = await makeAdmin();
    const { id, row } = await somebodysKey(admin);
    expect(await refusal(addHolder(admin, await row(), admin.username))).toBe("403 not_creator");
    expect(await refusal(addHolder(admin, await row(), admin.username.toUpperCase()))).toBe("403 not_creator");
    expect(await refusal(revealData(admin, id))).toBe("403 not_holder");
    expect(await recordFor(admin, await row())).toMatchObject({ data: null, owned: false });
    expect((await keysOf(admin, {})).next).toBeUndefined();
  });

  test("learns no data from changing a key, from its trail or from its holders", async () => {
    const admin = await makeAdmin();
    const { row } = await somebodysKey(admin);
    const answers = [
      await updateKey(admin, await row(), null),
      await updateKey(admin, await row(), { field: "name", value: "Another name" }),
      await updateKey(admin, await row(), { field: "price", value: "2" }),
      await updateKey(admin, await row(), { field: "data", value: SECRET }),
      await trailOf(admin, await row(), 100),
    ];
    expect(JSON.stringify(answers)).not.toContain(SECRET);
    expect(answers.slice(0, 4)).toEqual(Array(4).fill(expect.objectContaining({ data: null, owns: false })));
  });

  test("still adds others, revokes and changes", async () => {
    const admin = await makeAdmin();
    const other = await makeUser();
    const { row } = await somebodysKey(admin);
    expect(await addHolder(admin, await row(), other.username)).toEqual({
      user: other.username,
      added: true,
      changed: false,
    });
    expect(await revokeHolder(admin, await row(), other.username)).toEqual({ user: other.username, revoked: true });
    expect(await updateKey(admin, await row(), { field: "name", value: "Renamed" })).toMatchObject({ name: "Renamed" });
  });

  test("stays the holder that a creator made it, and is a creator like any other", async () => {
    const admin = await makeAdmin();
    const { creator, id, row } = await somebodysKey(admin);
    await addHolder(creator, await findKey(creator, id), admin.username);
    expect(await addHolder(admin, await row(), admin.username)).toEqual({
      user: admin.username,
      added: false,
      changed: false,
    });
    expect(await revealData(admin, id)).toBe(SECRET);
    await revokeHolder(admin, await row(), admin.username);
    expect(await refusal(addHolder(admin, await row(), admin.username))).toBe("403 not_creator");
    const own = await createKey(admin, { data: "its own", price: "1" });
    expect(await addHolder(admin, await findKey(admin, own.id), admin.username)).toEqual({
      user: admin.username,
      added: false,
      changed: false,
    });
  });
});
