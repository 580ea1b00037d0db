import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { beforeAll, expect, inject, test } from "vitest";
import { createUser } from "@/lib/accounts/create";
import { setRole } from "@/lib/accounts/role";
import type { StoredAction } from "@/server/gate-limits";
import { allActions, callAction } from "@/tests/support/call-action";
import { origin } from "@/tests/support/http";
import { newUsername, signInByPassword } from "@/tests/support/user";

const { isOnVercel } = inject("service");
const build = `.builds/${readFileSync(".builds/current", "utf8").trim()}`;
const declared: Record<string, StoredAction> = JSON.parse(readFileSync(`${build}/actions.json`, "utf8"));

const PASSWORD = "correct horse battery";
const AT_ONCE = 8;

let cookie: string;
beforeAll(async () => {
  const username = newUsername();
  await createUser({ username, password: PASSWORD });
  await setRole(username, "admin");
  cookie = await signInByPassword(origin, username, PASSWORD);
});

/** A call with an argument that no action takes, whose body has this many bytes. */
const callOf = ({ name, file, page }: ReturnType<typeof allActions>[number], bytes: number, from: object) =>
  callAction(origin, page, name, ["x".repeat(bytes - JSON.stringify([""]).length)], { file, ...from });

test.each(["a stranger", "whoever is signed in"])(
  "every action takes as much of %s as it is declared to",
  async (who) => {
    if (isOnVercel) return;
    const from = who === "a stranger" ? {} : { cookie };
    const sizeOf = ({ strangersBytes, bodyBytes }: StoredAction) => (who === "a stranger" ? strangersBytes : bodyBytes);
    const actions = allActions();
    expect(actions.length).toBeGreaterThan(50);
    const strange: unknown[] = [];
    const check = async (action: (typeof actions)[number]) => {
      const bytes = sizeOf(declared[action.id] as StoredAction);
      const [fits, over] = [await callOf(action, bytes, from), await callOf(action, bytes + 1, from)];
      const isSaid = over.status === 413 && /too (?:large|long)/.test(String(over.body?.error));
      if (fits.status !== 200 || !isSaid) strange.push([action.name, bytes, fits.status, over.status, over.text]);
    };
    for (let at = 0; at < actions.length; at += AT_ONCE) await Promise.all(actions.slice(at, at + AT_ONCE).map(check));
    expect(strange).toEqual([]);
  },
);

test("a list of names of 95,000 bytes is read, and one of 401,000 answered in a sentence", async () => {
  const change = { keyId: "0".repeat(32), change: "add" };
  const changeMany = (names: string) => callAction(origin, "/keys", "changeMany", [{ ...change, names }], { cookie });
  const names = Array.from({ length: 6_333 }, () => randomBytes(7).toString("hex")).join("\n");
  const list = await changeMany(names);
  expect([list.status, list.text]).toEqual([200, expect.stringContaining("500 users at a time")]);
  const refused = await changeMany("a".repeat(isOnVercel ? 5_000_000 : 401_000 + 9_000));
  expect([refused.status, refused.text]).toEqual([413, expect.stringMatching(/too (?:large|long)/)]);
});
