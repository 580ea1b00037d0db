import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createFolder } from "@/lib/files/create";
import { importDocument } from "@/lib/files/import";
import { filesSummary, listFolder } from "@/lib/files/list";
import { beginUpload } from "@/lib/files/upload";
import { findKey } from "@/lib/keys/access";
import { createKey } from "@/lib/keys/create";
import { updateKey } from "@/lib/keys/update";
import { MAX_QUOTAS, setQuotas } from "@/lib/operator/users/update";
import { showUser } from "@/lib/operator/users/view";
import { auditTrail } from "@/lib/platform/audit";
import { db } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { settingQuotas } from "@/lib/platform/limits/quotas";
import { chunks, smallDocument } from "../support/documents";
import { codeOf } from "../support/statements";
import { makeUser, makeUsers, type TestUser } from "../support/user";

const asCaller = (user: TestUser) => ({ ...user, role: "user" });
const newKey = (user: TestUser, data = "secret") => createKey(asCaller(user), { data, price: "1" });
const refusal = (work: Promise<unknown>) => work.then(() => "done").catch((error) => `${error.code}: ${error.message}`);
const keysOf = (user: TestUser) => db.key.count({ where: { creatorId: user.id } });

describe("quotas of a user's own", () => {
  test("hold instead of the settings, above and below, and null brings the setting back", async () => {
    const user = await makeUser();
    expect(await setQuotas(user.username.toUpperCase(), { keys: 1, keyBytes: 10 })).toEqual({
      ...settingQuotas(),
      keys: 1,
      keyBytes: 10,
    });
    const key = await newKey(user);
    expect(await refusal(newKey(user))).toBe("key_limit: This user can have 1 key at most. Delete one first.");
    const row = await findKey(asCaller(user), key.id);
    expect(await refusal(updateKey(asCaller(user), row, { field: "data", value: "x".repeat(11) }))).toBe(
      "key_limit: The data of this user's keys can have 10 bytes at most in total.",
    );
    await setQuotas(user.username, { keys: null, keyBytes: env.KEY_BYTES_PER_CREATOR + 100_000 });
    expect(await refusal(newKey(user, "x".repeat(1_000)))).toBe("done");
    expect((await showUser(user.username)).own).toEqual({
      keys: null,
      keyBytes: env.KEY_BYTES_PER_CREATOR + 100_000,
      fileBytes: null,
      entries: null,
    });
  });

  test("one below what is used deletes nothing, and refuses only what is new", async () => {
    const user = await makeUser();
    const [key] = [await newKey(user, "12345"), await newKey(user, "12345")];
    await importDocument(user, chunks(JSON.stringify(smallDocument(user.username))));
    const before = await filesSummary(user.id);
    await setQuotas(user.username, { keys: 0, keyBytes: 0, fileBytes: 10, entries: 1 });
    expect(await keysOf(user)).toBe(2);
    expect(await filesSummary(user.id)).toEqual(before);
    expect(await refusal(newKey(user, ""))).toContain("can have 0 keys at most");
    const row = await findKey(asCaller(user), key.id);
    for (const change of [
      { field: "name", value: "Another" },
      { field: "data", value: "1234" },
    ] as const)
      expect(await refusal(updateKey(asCaller(user), row, change))).toBe("done");
    expect(await refusal(createFolder(user, undefined, { name: "More" }))).toContain(
      "There is room for 0 files and folders",
    );
  });

  test("are those of the files too: folders, uploads, imports, and what their page shows", async () => {
    const user = await makeUser();
    const document = JSON.stringify(smallDocument(user.username));
    const importing = () => refusal(importDocument(user, chunks(document)));
    const bytes = Buffer.byteLength(document);
    await setQuotas(user.username, { fileBytes: bytes - 1 });
    expect(await importing()).toContain(`There is room for ${(bytes - 1).toLocaleString("en")} bytes`);
    await setQuotas(user.username, { fileBytes: bytes, entries: 3 });
    expect(await importing()).toContain("There is room for 2 files and folders");
    await setQuotas(user.username, { entries: 4 });
    expect(await importing()).toBe("done");
    await setQuotas(user.username, { fileBytes: null, entries: 5 });
    expect(await refusal(createFolder(user, undefined, { name: "One" }))).toBe("done");
    expect(await refusal(createFolder(user, undefined, { name: "Two" }))).toContain(
      "There is room for 4 files and folders",
    );
    await setQuotas(user.username, { fileBytes: 5_000, entries: 20 });
    const file = { name: "a.txt", totalBytes: 5_000, isText: true, onExisting: "refuse" as const };
    expect(await refusal(beginUpload(user, undefined, file))).toContain("There is room for 5,000 bytes");
    expect(await refusal(beginUpload(user, undefined, { ...file, totalBytes: 1_000 }))).toBe("done");
    expect((await listFolder(user.id, { limit: 10, sort: "name", descending: false })).quota).toEqual({
      entries: 20,
      bytes: 5_000,
    });
  });

  test("are in the trail with who set them, and bad ones are refused", async () => {
    const user = await makeUser();
    await setQuotas(user.username, { keys: 5, entries: null });
    const [event] = await auditTrail({ subjectId: user.id }, 1);
    expect(event).toMatchObject({
      action: "user.quota",
      actor: "operator",
      detail: { user: user.username, keys: "5", entries: "default" },
    });
    for (const keys of [-1, 0.5, Number.NaN, MAX_QUOTAS.keys + 1])
      expect(await refusal(setQuotas(user.username, { keys }))).toContain("invalid_parameter: Enter a whole number");
    expect(await setQuotas(user.username, MAX_QUOTAS)).toEqual(MAX_QUOTAS);
    expect(await refusal(setQuotas("nobody-of-this-name", {}))).toContain("user_not_found");
  });
});

describe("in races", () => {
  const ROUNDS = 8;
  const isDone = (work: Promise<unknown>) =>
    codeOf(work).then((code) => {
      // The last: an import has just replaced the folder in which another one was to be created.
      expect(["ok", "key_limit", "files_limit", "entry_not_found"]).toContain(code);
      return code === "ok";
    });

  test("no parallel creation passes the edge, by number or by bytes", async () => {
    for (const [round, user] of (await makeUsers(ROUNDS)).entries()) {
      const most = 1 + (round % 4);
      await setQuotas(user.username, round % 2 === 0 ? { keys: most } : { keyBytes: 6 * most + 5 });
      const done = await Promise.all(Array.from({ length: 8 }, () => isDone(newKey(user))));
      expect([done.filter(Boolean).length, await keysOf(user)]).toEqual([most, most]);
    }
  });

  test("a quota lowered meanwhile holds once it is set", async () => {
    for (const user of await makeUsers(ROUNDS)) {
      const creating = Array.from({ length: 8 }, () => isDone(newKey(user)));
      await setQuotas(user.username, { keys: 2 });
      const counted = await keysOf(user);
      await Promise.all(creating);
      expect(await keysOf(user)).toBe(Math.max(2, counted));
    }
  });

  test("the same for files: their first, and more of them", async () => {
    for (const [round, user] of (await makeUsers(ROUNDS)).entries()) {
      if (round % 2 === 1) await createFolder(user, undefined, { name: "First" });
      const changing = [
        isDone(importDocument(user, chunks(JSON.stringify(smallDocument(user.username))))),
        ...[1, 2, 3].map((n) => isDone(createFolder(user, undefined, { name: `Folder ${n}` }))),
      ];
      await sleep(6 * round);
      await setQuotas(user.username, { entries: 2 });
      const { entries } = await filesSummary(user.id);
      await Promise.all(changing);
      expect((await filesSummary(user.id)).entries).toBeLessThanOrEqual(Math.max(2, entries));
    }
  });
});
