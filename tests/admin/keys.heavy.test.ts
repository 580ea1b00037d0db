import { expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { createKey } from "@/lib/keys/create";
import { admin, answer, makeOperatorsUser } from "./command";

test("a holder is added until a time, gets another end, keeps it, and loses it", async () => {
  const [creator, holder] = [await makeOperatorsUser(), await makeOperatorsUser()];
  const { id: keyId } = await createKey({ ...creator, role: "user" }, { data: "a secret", price: "1" });
  const add = (...until: string[]) => answer(["key:add", keyId, holder.username, ...until]);
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
  ] as const) {
    const { status, stdout, stderr } = await admin(["key:add", keyId, holder.username, "--until", bad]);
    expect([status, stdout], bad).toEqual([2, ""]);
    expect(stderr).toContain(words);
  }
  expect(await until()).toBeUndefined();
  const action = { in: ["key.add", "key.until"] };
  expect(await db.auditEvent.count({ where: { subjectId: keyId, action, actorId: "operator" } })).toBe(3);
});
