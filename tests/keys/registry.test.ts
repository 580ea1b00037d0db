import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { env } from "@/lib/env";
import { holdsKey } from "@/lib/keys/check";
import { createKey } from "@/lib/keys/create";
import { deleteKey } from "@/lib/keys/delete";
import { findKey, keyInPath } from "@/lib/keys/find";
import { addHolder, revokeHolder } from "@/lib/keys/holders";
import { recordFor } from "@/lib/keys/record";
import { revealData } from "@/lib/keys/reveal";
import { price } from "@/lib/keys/schema";
import { readChange, updateKey } from "@/lib/keys/update";
import { hashToken } from "@/lib/tokens";
import { makeUser, makeUsers, type TestUser } from "../support/user";
import { patiently } from "./patiently";

const asViewer = (user: TestUser) => ({ ...user, role: "user" });
const newKey = (creator: TestUser, data = "secret") => createKey(asViewer(creator), { data, price: "1" });
const code = (refused: Promise<unknown>) =>
  refused.then(
    () => "answered",
    (error) => error.code,
  );

describe("who sees what", () => {
  test("a key's data is for its holders only, its list of holders for who manages it", async () => {
    const [creator, holder, other] = await Promise.all([makeUser(), makeUser(), makeUser()]);
    const key = await newKey(creator);
    const row = await findKey(asViewer(creator), key.id);
    await addHolder(asViewer(creator), row, holder.username.toUpperCase());

    const seenBy = async (user: TestUser) => recordFor(asViewer(user), await findKey(asViewer(user), key.id));
    expect(await seenBy(creator)).toMatchObject({ data: "secret", isCreator: true, owned: true });
    expect(Object.keys((await seenBy(creator)).users).sort()).toEqual([creator.username, holder.username].sort());
    expect(await seenBy(holder)).toMatchObject({ data: "secret", isCreator: false, owns: true });
    expect(Object.keys((await seenBy(holder)).users)).toEqual([holder.username]);
    expect(await seenBy(other)).toMatchObject({ data: null, owned: false, users: {} });

    const admin = { ...asViewer(other), role: "admin" };
    expect((await recordFor(admin, await findKey(admin, key.id))).data).toBeNull();
    expect(Object.keys((await recordFor(admin, await findKey(admin, key.id))).users)).toHaveLength(2);
  });

  test("a user called __proto__ is listed like everybody else", async () => {
    const creator = await makeUser();
    const odd = await makeUser({ username: "__proto__", usernameKey: "__proto__" });
    const key = await newKey(creator);
    await addHolder(asViewer(creator), await findKey(asViewer(creator), key.id), "__PROTO__");
    const record = await recordFor(asViewer(creator), await findKey(asViewer(creator), key.id));
    expect(JSON.parse(JSON.stringify(record)).users).toHaveProperty(odd.username, { time: expect.any(Number) });
    expect(Object.hasOwn(record.users, "__proto__")).toBe(true);
  });
});

describe("changes", () => {
  test("revoking twice and adding twice are answered, and say that nothing changed", async () => {
    const [creator, holder] = await Promise.all([makeUser(), makeUser()]);
    const row = await findKey(asViewer(creator), (await newKey(creator)).id);
    expect(await addHolder(asViewer(creator), row, holder.username)).toEqual({
      user: holder.username,
      added: true,
      changed: false,
    });
    expect(await addHolder(asViewer(creator), row, holder.username)).toEqual({
      user: holder.username,
      added: false,
      changed: false,
    });
    expect(await revokeHolder(asViewer(holder), row, holder.username)).toEqual({
      user: holder.username,
      revoked: true,
    });
    expect(await revokeHolder(asViewer(creator), row, holder.username)).toEqual({
      user: holder.username,
      revoked: false,
    });
    expect(await code(revokeHolder(asViewer(creator), row, creator.username))).toBe("creator_access");
    expect(await code(addHolder(asViewer(holder), row, holder.username))).toBe("not_creator");
    expect(await code(deleteKey(asViewer(holder), row))).toBe("not_creator");
    expect(await code(addHolder(asViewer(creator), row, "nobody-here"))).toBe("user_not_found");
  });

  test("an update takes the value as the string that was sent, and leaves an audit entry without it", async () => {
    const creator = await makeUser();
    const key = await newKey(creator);
    const row = await findKey(asViewer(creator), key.id);
    for (const value of ["5", "true", '{"a":1}', "", "שלום", "🗝️", " ", "a".repeat(65_536)]) {
      const record = await updateKey(asViewer(creator), row, readChange({ id: key.id, key: key.id, data: value }));
      expect(record).toMatchObject({ data: value, changed: true });
    }
    expect((await updateKey(asViewer(creator), row, readChange({ id: key.id, key: "data" }))).changed).toBe(false);
    const entries = await db.auditEvent.findMany({ where: { subjectId: key.id, action: "key.update" } });
    expect(entries).toHaveLength(8);
    for (const entry of entries) expect(entry.detail).toBe('{"field":"data"}');
  });

  test("what happened to a key stays known when it is deleted", async () => {
    const [creator, holder] = await Promise.all([makeUser(), makeUser()]);
    const key = await newKey(creator);
    const row = await findKey(asViewer(creator), key.id);
    await addHolder(asViewer(creator), row, holder.username);
    await deleteKey(asViewer(creator), row);
    expect(await holdsKey(holder.username, key.id)).toBe(false);
    expect(await code(deleteKey(asViewer(creator), row))).toBe("key_not_found");
    expect(await code(addHolder(asViewer(creator), row, holder.username))).toBe("key_not_found");
    const actions = await db.auditEvent.findMany({
      where: { subjectId: key.id },
      orderBy: { id: "asc" },
      select: { action: true },
    });
    expect(actions.map(({ action }) => action)).toEqual(["key.create", "key.add", "key.delete"]);
  });

  test("200 parallel additions, removals and updates lose nobody", async () => {
    const creator = await makeUser();
    const users = await makeUsers(40);
    const row = await findKey(asViewer(creator), (await newKey(creator)).id);
    const change = async (index: number) => {
      const user = users[index % users.length] as TestUser;
      if (index % 5 === 4)
        return { who: user, ...(await updateKey(asViewer(creator), row, { field: "name", value: String(index) })) };
      if (index % 3 === 0) return { who: user, ...(await revokeHolder(asViewer(creator), row, user.username)) };
      return { who: user, ...(await addHolder(asViewer(creator), row, user.username)) };
    };
    const answers = await Promise.all(Array.from({ length: 200 }, (_, index) => patiently(() => change(index))));
    const events = await db.auditEvent.findMany({
      where: { subjectId: row.id, action: { in: ["key.add", "key.revoke"] } },
    });
    const changes = answers.filter(
      (answer) => ("added" in answer && answer.added) || ("revoked" in answer && answer.revoked),
    );
    expect(events).toHaveLength(changes.length);
    for (const user of users) {
      const gained = changes.filter((answer) => answer.who === user && "added" in answer).length;
      const lost = changes.filter((answer) => answer.who === user && "revoked" in answer).length;
      expect([0, 1]).toContain(gained - lost);
      expect(await holdsKey(user.username, row.id)).toBe(gained - lost === 1);
    }
  });
});

describe("limits", () => {
  test("a creator's keys have a number and a size that they cannot pass, not even together at once", async () => {
    const creator = await makeUser();
    const size = Math.floor(env.KEY_BYTES_PER_CREATOR / 4);
    const now = new Date();
    const rows = Array.from({ length: 3 }, (_, index) => ({
      id: `${creator.id.slice(1)}${index}`,
      creatorId: creator.id,
      name: "",
      data: "",
      dataBytes: size,
      price: "0",
      createdAt: now,
      updatedAt: now,
    }));
    await db.key.createMany({ data: rows });
    const sizes = Array.from({ length: 100 }, () => "x".repeat(60_000));
    const outcomes = await Promise.all(sizes.map((data) => code(patiently(() => newKey(creator, data)))));
    const room = Math.floor((env.KEY_BYTES_PER_CREATOR - 3 * size) / 60_000);
    expect(outcomes.filter((outcome) => outcome === "answered")).toHaveLength(Math.min(room, 100));
    const row = await findKey(asViewer(creator), rows[0]?.id as string);
    expect((await updateKey(asViewer(creator), row, { field: "data", value: "small" })).data).toBeNull();
  });
});

describe("reading", () => {
  test("a token and a key are found in one statement", async () => {
    const creator = await makeUser();
    const key = await newKey(creator);
    const { user, found } = await keyInPath.withCaller(hashToken(creator.token), key);
    expect(user).toMatchObject({ id: creator.id, username: creator.username, disabledAt: null });
    expect(found()).toMatchObject({ id: key.id, creator: creator.username });
    expect((await keyInPath.withCaller(hashToken("lk_none"), key)).user).toBeUndefined();
    const none = await keyInPath.withCaller(hashToken(creator.token), { id: "0".repeat(32) });
    expect(none.user).toMatchObject({ id: creator.id });
    expect(none.found).toThrow("There is no key");
  });

  test("any text comes back as it was sent", async () => {
    const creator = await makeUser();
    const stored = fc
      .string({ unit: "binary", minLength: 1, maxLength: 50 })
      .filter((text) => text.isWellFormed() && !/[\0\uFFFD]/.test(text));
    await fc.assert(
      fc.asyncProperty(stored, async (data) => {
        const key = await newKey(creator, data);
        expect(await revealData(asViewer(creator), key.id)).toBe(data);
      }),
      { numRuns: 60 },
    );
  });
});

describe("price", () => {
  const digits = fc.tuple(fc.bigInt({ min: 0n, max: 999_999_999n }), fc.stringMatching(/^[0-9]{0,6}$/), fc.boolean());

  test("is answered as the same decimal", () => {
    fc.assert(
      fc.property(digits, ([whole, decimals, negative]) => {
        const text = `${negative ? "-" : ""}${whole}${decimals === "" ? "" : `.${decimals}`}`;
        fc.pre(Number(text) !== 0 || !negative);
        const canonical = text.includes(".") ? text.replace(/\.?0+$/, "") : text;
        expect(JSON.stringify(Number(price.parse(text)))).toBe(canonical);
      }),
      { numRuns: 5_000 },
    );
  });

  test.each([
    "",
    " ",
    "1e5",
    "0x10",
    "007",
    "NaN",
    "Infinity",
    "-Infinity",
    "1,5",
    "-0",
    "-0.0",
    ".5",
    "5.",
    "+1",
    "1 ",
    "١",
    "1.1234567",
    "1234567890123456",
    "--1",
    "1_000",
  ])("%j is refused", (text) => {
    expect(price.safeParse(text).success).toBe(false);
  });

  test.each([
    ["999999999999999", "999999999999999"],
    ["0.000001", "0.000001"],
    ["-1.50", "-1.5"],
    ["0.0", "0"],
    ["12345678.123456", "12345678.123456"],
  ])("%s is answered as %s", (text, answered) => {
    expect(JSON.stringify(Number(price.parse(text)))).toBe(answered);
  });
});
