import { randomBytes } from "node:crypto";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectError, expectSuccess } from "@/tests/contract/answers";
import { runAdmin } from "@/tests/support/admin";
import { smallDocument } from "@/tests/support/documents";
import { ask } from "@/tests/support/http";
import { sendTo } from "@/tests/support/request";
import { type SmallDisk, smallDisk, smallDiskKinds } from "@/tests/support/small-disk";
import { signInByPassword } from "@/tests/support/user";
import { PASSWORD, startWithOneUser } from "./one-user";

const LARGE = 60_000;
const [KEYS, ROUNDS, MAX] = [60, 6, 5_000];

// A database that may not grow stands in for a small file system where none can be mounted.
describe.each(smallDiskKinds)("on %s", (kind) => {
  let disk: SmallDisk;
  beforeAll(() => {
    disk = smallDisk(kind);
  });
  afterAll(() => disk?.remove());
  const own = startWithOneUser("sqlite", () => disk.variables);
  const call = (path: string, query: Record<string, string> = {}) =>
    ask(path, { query: { ...query, auth: own.user.token } }, own.service.url);
  const create = (data: string) => call("/keys/create", { data, price: "1" });
  const readiness = async () => (await sendTo(own.service.url, "/ready")).status;
  const admin = (...command: string[]) =>
    runAdmin(command, {
      ...{ PATH: process.env.PATH, NODE_ENV: "production", NEXTAUTH_URL: own.service.url },
      ...own.service.storage,
      ...disk.variables,
    });
  /** Until not even a small key finds room. */
  async function fillRest() {
    for (let count = 0; (await create("x".repeat(20_000))).status === 200 && count < MAX; count++);
    // The log that is emptied meanwhile leaves room for one more.
    for (let [refused, count] = [0, 0]; refused < 3 && count < MAX; count++)
      refused = (await create("x")).status === 200 ? 0 : refused + 1;
    expectError(await create("x"), 507, "storage_full");
  }

  test("what cannot be stored gets 507, reading goes on, nothing is lost, and room makes all well again", async () => {
    const kept = new Map<string, string>();
    const store = async (data: string) => {
      const answer = await create(data);
      if (answer.status === 200) kept.set(String(answer.body?.key), data);
      return answer;
    };
    expectSuccess(await store("small"));
    for (let count = 0; count < 5; count++) expectSuccess(await store(randomBytes(LARGE / 2).toString("hex")));
    const [first = ""] = kept.keys();
    const document = JSON.stringify(smallDocument("someone"));
    await own.operator.tell("importDocument", own.user, document);

    disk.fill();
    let refused = await store(randomBytes(LARGE / 2).toString("hex"));
    for (let count = 0; refused.status === 200 && count < 100; count++)
      refused = await store(randomBytes(LARGE / 2).toString("hex"));
    expectError(refused, 507, "storage_full");
    const large = randomBytes(LARGE / 2).toString("hex");
    expectError(await call(`/keys/update/${first}`, { key: "data", data: large }), 507, "storage_full");
    expect((await call(`/keys/get/${first}`)).body?.data).toBe(kept.get(first));
    expect((await call("/keys/mine")).list.map(({ key }) => key).sort()).toEqual([...kept.keys()].sort());
    expect((await call("/read-files")).text).toBe(document);
    expectSuccess(await call("/me"));
    const file = join(own.service.storage.DATA_DIR ?? "", "../import.json");
    writeFileSync(file, JSON.stringify(smallDocument("someone", randomBytes(1_000_000).toString("hex"))));
    const imported = await admin("files:import", "someone", file);
    expect([imported.status, imported.stderr]).toEqual([1, expect.stringMatching(/no space left/)]);
    expect((await call("/read-files")).text).toBe(document);

    disk.free();
    expectSuccess(await store(large));
    expectSuccess(await call(`/keys/update/${first}`, { key: "data", data: large }));
    kept.set(first, large);
    const more = smallDocument("someone", randomBytes(500_000).toString("hex"));
    await own.operator.tell("importDocument", own.user, JSON.stringify(more));
    await own.service.kill();
    await own.service.restart();
    expect(new Map((await call("/keys/mine")).list.map(({ key, data }) => [key, data]))).toEqual(kept);
    const database = new Database(join(disk.dataFolder, "latchkey.db"), { readonly: true });
    expect(database.pragma("integrity_check", { simple: true })).toBe("ok");
    expect(database.pragma("foreign_key_check")).toEqual([]);
    database.close();
  });

  test("readiness and the doctor say so while nothing can be stored, and no longer", async () => {
    expect(await readiness()).toBe(200);
    expect((await admin("doctor")).stdout).not.toContain('"room"');
    disk.fill();
    await fillRest();
    await expect.poll(readiness).toBe(503);
    const { status, stdout } = await admin("doctor");
    expect([status, stdout]).toEqual([1, expect.stringContaining("The database has no space left")]);
    disk.free();
    await expect.poll(readiness).toBe(200);
    expect((await admin("doctor")).stdout).not.toContain('"room"');
  });

  // Where the database alone may not grow, no other file can make room for it.
  if (kind === "a file system without room")
    test("what makes room works, and what takes room does not use up what is reserved for it", async () => {
      const friend = await own.operator.tell("createUser", "friend", PASSWORD);
      const reserve = join(disk.dataFolder, "latchkey.db-reserve");
      await expect.poll(() => statSync(reserve).size).toBeGreaterThan(5_000_000);
      const keys: string[] = [];
      for (let count = 0; count < KEYS; count++)
        keys.push(String((await create(randomBytes(20_000).toString("hex"))).body?.key));
      const [first = "", second = "", ...others] = keys;
      expectSuccess(await call(`/keys/admin_add/${first}`, { key: first, username: "friend" }));

      disk.fill();
      await fillRest();
      const reserved = statSync(reserve).size;
      for (let round = 0; round < ROUNDS; round++) {
        // Who cannot sign in, or end what somebody else got hold of, cannot make room.
        await signInByPassword(own.service.url, "someone", PASSWORD);
        await own.operator.tell("rotateToken", friend.id);
        await fillRest();
      }
      expect(statSync(reserve).size).toBeGreaterThan(reserved / 2);
      expectSuccess(await call(`/keys/revoke/${first}`, { user: "friend" }));
      expectSuccess(await call(`/keys/update/${second}`, { key: "data", data: "short" }));
      for (const key of others) expectSuccess(await call(`/keys/delete/${key}`));
      const left = (await call("/keys/mine")).list.map(({ key }) => key);
      expect([first, second, ...others].map((key) => left.includes(key)).filter(Boolean)).toEqual([true, true]);
      expectSuccess(await create(randomBytes(20_000).toString("hex")));
      await expect.poll(readiness).toBe(200);

      disk.free();
      disk.fill();
      await own.service.kill();
      const deleted = await admin("user:delete", "friend", "--yes");
      expect([deleted.status, deleted.stderr]).toEqual([0, ""]);
      // That command, as the last that had the database open, has removed the files that SQLite needs to open it.
      disk.fill();
      const disabled = await admin("user:disable", "someone");
      expect([disabled.status, disabled.stderr]).toEqual([0, ""]);
    });
});
