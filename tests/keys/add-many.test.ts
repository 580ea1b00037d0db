import { expect, test } from "vitest";
import { changeHolders, MOST_NAMES, readNames } from "@/lib/keys/add-many";
import { holdingOf, holdsKey } from "@/lib/keys/check";
import { createKey } from "@/lib/keys/create";
import type { Caller } from "@/lib/user";
import { makeUsers } from "@/tests/support/user";

const people = async (count: number) =>
  (await makeUsers(count)).map((user): Caller => ({ ...user, role: "user" })) as [Caller, Caller, Caller];

test.each([
  ["alice, bob;carol dave", ["alice", "bob", "carol", "dave"]],
  ["alice\nbob\r\n\r\n  carol  \n", ["alice", "bob", "carol"]],
  ['\ufeffusername,order\r\n"alice",12\r\nbob,13', ["alice", "bob"]],
  ["alice\nALICE\nbob", ["ALICE", "bob"]],
])("%j is a list of names", (text, names) => expect(readNames(text)).toEqual(names));

test.each(["", " ,\n;", "username"])("%j has none", (text) => expect(() => readNames(text)).toThrow("at least one"));

test("so many names are the most", () => {
  const names = Array.from({ length: MOST_NAMES }, (_, n) => `user-${n}`);
  expect(readNames(names.join("\n"))).toHaveLength(MOST_NAMES);
  expect(() => readNames([...names, "another"].join("\n"))).toThrow("500 users at a time");
});

test("each name has a result, and one that is refused stops no other", async () => {
  const [creator, first, second] = await people(3);
  const key = (await createKey(creator, { data: "x", price: "1" })).id;
  const end = new Date((Math.floor(Date.now() / 1000) + 3600) * 1000);
  const names = [first.username.toUpperCase(), "nobody-at-all", "not a name", creator.username, second.username];
  expect(await changeHolders(creator, key, names, { adds: true, end })).toEqual([
    { user: first.username, changed: true },
    { user: "nobody-at-all", changed: false, error: "There is no user with this name." },
    { user: "not a name", changed: false, error: "There is no user with this name." },
    { user: creator.username, changed: false, error: expect.stringContaining("cannot end") },
    { user: second.username, changed: true },
  ]);
  expect(await holdingOf(second.username, key)).toEqual({ until: end });
  expect(await changeHolders(creator, key, [first.username, first.username], { adds: false })).toEqual([
    { user: first.username, changed: true },
    { user: first.username, changed: false },
  ]);
  expect(await holdsKey(first.username, key)).toBe(false);
  const [refused] = await changeHolders(second, key, [first.username], { adds: true });
  expect(refused?.error).toMatch(/creator/);
});
