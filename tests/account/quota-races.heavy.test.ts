import { expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { createFolder } from "@/lib/files/create-folder";
import { importDocument } from "@/lib/files/import";
import { filesSummary } from "@/lib/files/summary";
import { createKey } from "@/lib/keys/create";
import { setQuotas } from "@/lib/operator/users/quota";
import { chunks, smallDocument } from "../support/documents";
import { makeUsers, type TestUser } from "../support/user";

const ROUNDS = 50;

const isDone = (work: Promise<unknown>) =>
  work.then(
    () => true,
    ({ code }) => {
      // The last: an import has just replaced the folder in which another one was to be created.
      expect(["key_limit", "files_limit", "entry_not_found"]).toContain(code);
      return false;
    },
  );
const newKey = (user: TestUser) => isDone(createKey({ ...user, role: "user" }, { data: "12345", price: "1" }));
const keysOf = ({ id }: TestUser) => db.key.count({ where: { creatorId: id } });

test("no parallel creation passes the edge, by number or by bytes", async () => {
  for (const [round, user] of (await makeUsers(ROUNDS)).entries()) {
    const most = 1 + (round % 4);
    await setQuotas(user.username, round % 2 === 0 ? { keys: most } : { keyBytes: 5 * most + 4 });
    const done = await Promise.all(Array.from({ length: 8 }, () => newKey(user)));
    expect([done.filter(Boolean).length, await keysOf(user)]).toEqual([most, most]);
  }
});

test("a quota lowered meanwhile holds once it is set", async () => {
  for (const user of await makeUsers(ROUNDS)) {
    const creating = Array.from({ length: 8 }, () => newKey(user));
    await setQuotas(user.username, { keys: 2 });
    const counted = await keysOf(user);
    await Promise.all(creating);
    expect(await keysOf(user)).toBe(Math.max(2, counted));
  }
});

test("the same for files: their first, and more of them", async () => {
  const users = await makeUsers(ROUNDS);
  for (const [round, user] of users.entries()) {
    const isFirst = round % 2 === 0;
    if (!isFirst) await isDone(createFolder(user, undefined, "First"));
    const changing = [
      isDone(importDocument(user, chunks(JSON.stringify(smallDocument(user.username))))),
      ...[1, 2, 3].map((n) => isDone(createFolder(user, undefined, `Folder ${n}`))),
    ];
    await new Promise((resolve) => setTimeout(resolve, round));
    await setQuotas(user.username, { entries: 2 });
    const { entries } = await filesSummary(user.id);
    await Promise.all(changing);
    expect((await filesSummary(user.id)).entries).toBeLessThanOrEqual(Math.max(2, entries));
  }
});
