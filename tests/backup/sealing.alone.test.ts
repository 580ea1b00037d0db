import { afterEach, beforeAll, expect, test } from "vitest";
import { resealAll } from "@/lib/account/resealing/reseal";
import { db } from "@/lib/db/client";
import { examine } from "@/lib/doctor/examine";
import type { Finding } from "@/lib/doctor/finding";
import { createKey } from "@/lib/keys/create";
import { forgetDataKeys } from "@/lib/sealing/data-keys";
import { forgetUserKeys } from "@/lib/sealing/user-keys";
import type { Caller } from "@/lib/user";
import { makeUser } from "@/tests/support/user";

let creator: Caller;
let id: string;
beforeAll(async () => {
  creator = { ...(await makeUser()), role: "user" };
  id = (await createKey(creator, { data: "a secret", price: "1" })).id;
  await createKey(creator, { data: "another secret", price: "1" });
  await resealAll(60_000);
});
afterEach(async () => expect(await found()).toEqual([]));

async function found(now?: Date): Promise<Finding[]> {
  forgetDataKeys();
  forgetUserKeys();
  const findings: Finding[] = [];
  for await (const finding of examine(now && (() => now)))
    if (["sealing", "sweep"].includes(finding.check)) findings.push(finding);
  return findings;
}

test.each([
  [
    "data of another",
    { data: "AAAA" },
    "was changed by something else, and does not open. This is the key ID of NAME.",
  ],
  ["a wrong size", { dataBytes: 9 }, "size of a key's data is wrong. This is the key ID of NAME."],
  ["a key that is missing", { sealedWith: 7 }, "that opens the data of a key is missing. This is the key ID of NAME."],
  ["data in the clear", { sealedWith: null, data: "a secret" }, "of 1 keys and 0 pieces of files are not sealed yet."],
])("the doctor names %s", async (_, change, words) => {
  const { data, dataBytes, sealedWith } = await db.key.findUniqueOrThrow({ where: { id } });
  await db.key.update({ where: { id }, data: change });
  try {
    const problem = expect.stringContaining(words.replace("ID", id).replace("NAME", creator.username));
    expect(await found()).toEqual([{ check: "sealing", problem, advice: expect.any(String) }]);
  } finally {
    await db.key.update({ where: { id }, data: { data, dataBytes, sealedWith } });
  }
});

test("the doctor names a user's key that is damaged, once, and not each key that it opens", async () => {
  const where = { userId_number: { userId: creator.id, number: 1 } };
  const { wrapped } = await db.userKey.findUniqueOrThrow({ where });
  await db.userKey.update({ where, data: { wrapped: wrapped.map((byte, n) => (n === 30 ? byte ^ 1 : byte)) } });
  try {
    const problem = `The key 1 of ${creator.username}, which opens what the user stored, is damaged.`;
    expect(await found()).toEqual([{ check: "sealing", problem, advice: expect.any(String) }]);
  } finally {
    await db.userKey.update({ where, data: { wrapped } });
  }
});

test("the doctor names a data key that no secret opens, and what is lost with it", async () => {
  const where = { id: 1 };
  const { wrapped } = await db.dataKey.findUniqueOrThrow({ where });
  await db.dataKey.update({ where, data: { wrapped: new Uint8Array(60) } });
  try {
    const problem = "No secret opens the data keys 1: the data of 2 keys, files of 0 users.";
    expect(await found()).toEqual([{ check: "sealing", problem, advice: expect.stringContaining("former secret") }]);
  } finally {
    await db.dataKey.update({ where, data: { wrapped } });
  }
});

test("the doctor tells how far resealing is that nobody continues", async () => {
  const later = new Date(Date.now() + 2 * 3_600_000);
  await db.dataKey.updateMany({ data: { passes: 0, resealedTo: "", resealedAt: null } });
  const users = await db.user.count();
  const [finding] = (await found(later)).filter(({ problem }) => problem.includes("former data key"));
  expect(finding).toMatchObject({ check: "sweep", problem: expect.stringContaining(`Of ${users} users, 0 are done.`) });
});
