import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openSession } from "@/lib/accounts/session/sessions";
import { findKey } from "@/lib/keys/access";
import { createKey } from "@/lib/keys/create";
import { deleteKey } from "@/lib/keys/delete";
import { addHolder } from "@/lib/keys/grant";
import { db } from "@/lib/platform/db/client";
import { table } from "@/scripts/admin/terminal";
import { file, root, values, wildEntry } from "@/tests/support/documents";
import { newNetwork } from "@/tests/support/request";
import { answer, atTerminal, lines, makeOperatorsUser, refusal, run, scratch } from "./command";

const asCaller = (user: { id: string; username: string }) => ({ ...user, role: "user" });

test("a holder is added until a time, gets another end, keeps it, and loses it", async () => {
  const [creator, holder] = [await makeOperatorsUser(), await makeOperatorsUser()];
  const { id: keyId } = await createKey(asCaller(creator), { data: "a secret", price: "1" });
  const add = (...until: string[]) => answer("key:add", keyId, holder.username, ...until);
  const until = async () => (await db.holder.findFirst({ where: { keyId, userId: holder.id } }))?.until?.toISOString();

  expect(await add("--until", "2999-12-31T18:00Z")).toEqual({ user: holder.username, added: true, changed: false });
  expect(await until()).toBe("2999-12-31T18:00:00.000Z");
  expect(await add("--until", "32503680000")).toMatchObject({ added: false, changed: true });
  expect(await until()).toBe("3000-01-01T00:00:00.000Z");
  expect(await add()).toMatchObject({ added: false, changed: false });
  expect(await until()).toBe("3000-01-01T00:00:00.000Z");
  expect(await add("--until", "never")).toMatchObject({ added: false, changed: true });
  expect(await until()).toBeUndefined();

  for (const [bad, words] of [
    ["tomorrow", "must be Unix seconds, or ISO 8601 with a time zone, or never"],
    ["2999-02-30T00:00Z", "must be Unix seconds, or ISO 8601 with a time zone, or never"],
    ["32503680000000", "must be before the year 10000"],
    ["2001-01-01T00:00Z", "must be in the future"],
  ] as const)
    expect(await refusal("key:add", keyId, holder.username, "--until", bad)).toContain(words);
  expect(await until()).toBeUndefined();
  const action = { in: ["key.add", "key.until"] };
  expect(await db.auditEvent.count({ where: { subjectId: keyId, action, actorId: "operator" } })).toBe(3);
});

test("audit tells what happened to a key and what a user did, in order, and of a deleted key too", async () => {
  const [creator, friend] = [asCaller(await makeOperatorsUser()), await makeOperatorsUser()];
  const key = await createKey(creator, { data: "a secret", price: "1", name: "Pass" });
  const row = await findKey(creator, key.id);
  await addHolder(creator, row, { username: friend.username });
  await deleteKey(creator, row);

  const told = await lines("audit", "--key", key.id);
  const common = { at: expect.stringMatching(/Z$/), subject: key.id, actor: creator.username, actorId: creator.id };
  expect(told).toEqual([
    { ...common, action: "key.create", detail: {} },
    { ...common, action: "key.add", detail: { user: friend.username } },
    { ...common, action: "key.delete", detail: { name: "Pass" } },
  ]);
  expect(await lines("audit", "--user", creator.username.toUpperCase())).toEqual(told);
  expect(await lines("audit", "--user", creator.username, "--limit", "1")).toEqual(told.slice(-1));
  expect(JSON.stringify(await lines("audit"))).not.toContain("a secret");
  expect(await refusal("audit", "--key", "0".repeat(32))).toBe("There is no key with this id.");
  expect(await lines("audit", "--key", key.id, "--user", creator.username)).toEqual(told);
  expect(await lines("audit", "--key", key.id, "--action", "key.add")).toEqual(told.slice(1, 2));
  const whole = [...told, { complete: true, events: 3 }];
  expect(await lines("audit", "--key", key.id, "--format", "json")).toEqual(whole);
  const { printed: csv } = await run("audit", "--user", creator.username, "--since", "1h", "--format", "csv");
  expect(csv.trimEnd().split("\r\n").at(-1)).toBe("complete,3,,,,,");
});

test.each([
  ["--action", "nothing"],
  ["--since", "soon"],
  ["--follow", "--until", "1h"],
  ["--limit=x"],
  ["--limit=10001"],
  ["--limit=1.5"],
])("audit %s %s is refused", async (...wrong) => {
  const { printed, thrown } = await run("audit", ...wrong);
  expect([printed, thrown]).toEqual([
    "",
    expect.objectContaining({ code: expect.stringMatching(/^(?:commander|inv)/) }),
  ]);
});

function written(username: string, text: string | Buffer): string {
  const path = join(scratch, `${username}.json`);
  writeFileSync(path, text);
  return path;
}
const exported = async (username: string) => (await run("files:export", username)).printed;

test("all of a document that cannot be imported is named, and left out only when told to", async () => {
  const { username } = await makeOperatorsUser();
  const home = `origin/(c) users/${username.toLowerCase()}`;
  const entry = (type: string, name: string, location: string, id: string) =>
    wildEntry(type, name, location, type === ".txt" ? "x" : null, id);
  const entries = [
    entry(".txt", "Early", `${home}/docs`, "e"),
    entry(".folder", username, "origin/(c) users", "r"),
    entry(".folder", "Docs", home, "d"),
    entry(".txt", "kit", "/kit", "k"),
    entry(".txt", "orphan", `${home}/gone`, "o"),
  ];
  const path = written(username, JSON.stringify(entries.flat()));
  const { printed, said, thrown } = await run("files:import", username, path);
  expect(printed).toBe("");
  for (const place of ["Entry 4, location:", "Entry 5, location:"]) expect(said).toContain(place);
  const sentence = "2 of 5 entries cannot be imported. Nothing was changed. Use --skip to import the other 3.";
  expect((thrown as Error).message).toBe(sentence);
  expect((await run("files:export", username)).thrown).toBeInstanceOf(Error);
  const skipped = await run("files:import", username, path, "--skip");
  expect(JSON.parse(skipped.printed)).toMatchObject({ username, entries: 3, skipped: 2 });
  expect(JSON.parse(await exported(username))).toHaveLength(3 * 14);
});

test("a document is imported from a file and exported value for value; a broken one changes nothing", async () => {
  const { username } = await makeOperatorsUser();
  const document = [root(username), file(username, 2, "Hello, \u0000wörld 😀")].flatMap(values);
  const given = JSON.stringify(document, null, 2);
  for (const bytes of [given, `\ufeff${given}`, Buffer.from(`\ufeff${given}`, "utf16le")])
    expect(await answer("files:import", username, written(username, bytes))).toMatchObject({ username, entries: 2 });
  const text = await exported(username);
  expect(JSON.parse(text)).toEqual(document);
  const none = await refusal("files:import", username, join(scratch, "none"));
  expect(none).toMatch(/^The file .+ cannot be read: it does not exist\.$/);
  const broken = await run("files:import", username, written(username, text.slice(0, -20)));
  expect([broken.printed, broken.said]).toEqual(["", ""]);
  expect((broken.thrown as Error).message).toMatch(/^This is not a JSON array: it ends too early[^\n]+$/);
  expect(await exported(username)).toBe(text);
});

/** ESC, CSI, NEL, marks of direction, separators of lines: what a terminal obeys, or shows in another order. */
const HOSTILE = "a\u001b[2Jb\u009b31mc\u0085d\u202ee\u2066f\u061cg\u200eh\u2028i\u007f";
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f]/;

test("what others wrote is printed as JSON of the same value, without a character that a terminal obeys", async () => {
  const user = await makeOperatorsUser();
  const key = await createKey({ ...user, role: "user" }, { data: "x", price: "1", name: HOSTILE });
  await openSession({ id: user.id }, { userAgent: HOSTILE, network: newNetwork().id });
  expect((await answer("key:show", key.id)).name).toBe(HOSTILE);
  const sessions = await lines("user:sessions", user.username);
  expect(sessions.map(({ userAgent }) => userAgent)).toEqual([HOSTILE]);
  for (const sent of [
    ["key:show", key.id],
    ["user:sessions", user.username],
    ["audit", "--user", user.username],
    ["audit", "--user", user.username, "--format", "json"],
  ]) {
    const { printed } = await run(...sent);
    expect(printed.length, sent.join(" ")).toBeGreaterThan(20);
    expect(printed, sent.join(" ")).not.toMatch(UNSAFE);
  }
});

test("a path that an import refuses is named without one", async () => {
  const user = await makeOperatorsUser();
  const document = join(scratch, "hostile.json");
  const orphan = {
    ...file(user.username, 2, "text"),
    name: HOSTILE,
    location: `origin/(c) users/${user.username}/gone`,
  };
  writeFileSync(document, JSON.stringify([...values(root(user.username, [])), ...values(orphan)]));
  const { said } = await run("files:import", user.username, document, "--skip");
  expect(said).toContain("the document has no folder");
  expect(said).not.toMatch(UNSAFE);
});

test("a table has them by name, in columns of equal width", () => {
  const shown = table(
    ["Name", "Keys"],
    [
      [HOSTILE, 1],
      ["bob\nx", 20],
    ],
  );
  expect(shown).not.toMatch(UNSAFE);
  expect(new Set(shown.split("\n").map((line) => line.length)).size).toBe(1);
  expect(shown.split("\n")).toHaveLength(3);
});

test("a document and a CSV file are as they are for a program, and harmless on a screen", async () => {
  const user = await makeOperatorsUser();
  const document = join(scratch, "named.json");
  writeFileSync(
    document,
    JSON.stringify([...values(root(user.username, [])), ...values({ ...file(user.username, 2, HOSTILE) })]),
  );
  expect(await answer("files:import", user.username, document)).toMatchObject({ entries: 2 });
  const { printed } = await run("files:export", user.username);
  expect(printed).toContain("\u009b31m");
  const { screen } = await atTerminal(`files:export ${user.username}`, []);
  expect(screen).not.toMatch(UNSAFE);
  expect(JSON.parse(screen)).toEqual(JSON.parse(printed));
});
