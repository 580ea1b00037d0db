import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openSession } from "@/lib/accounts/sessions";
import { createKey } from "@/lib/keys/create";
import { table } from "@/scripts/admin/terminal";
import { file, root, values } from "@/tests/support/documents";
import { newNetwork } from "@/tests/support/request";
import { answer, atTerminal, lines, makeOperatorsUser, run, scratch } from "./command";

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
