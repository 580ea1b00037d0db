import { expect, test } from "vitest";
import { findKey } from "@/lib/keys/access";
import { createKey } from "@/lib/keys/create";
import { deleteKey } from "@/lib/keys/delete";
import { addHolder } from "@/lib/keys/grant";
import { db } from "@/lib/platform/db/client";
import { answer, lines, makeOperatorsUser, refusal, run } from "./command";

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
