import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectError, expectSuccess } from "@/tests/contract/answers";
import { runAdmin } from "@/tests/support/admin";
import { sendTo } from "@/tests/support/request";
import { type SmallDiskKind, smallDiskKinds } from "@/tests/support/small-disk";
import { signInByPassword } from "@/tests/support/user";
import { PASSWORD, startOnSmallDisk } from "./one-user";

const [KEYS, ROUNDS, MAX] = [60, 6, 5_000];

/** What these tests do with a service on a small disk of its own. */
function onSmallDisk(kind: SmallDiskKind) {
  const small = startOnSmallDisk(kind);
  const { own, disk, create } = small;
  /** Until not even a small key finds room. */
  async function fillRest() {
    for (let count = 0; (await create("x".repeat(20_000))).status === 200 && count < MAX; count++);
    // The log that is emptied meanwhile leaves room for one more.
    for (let [refused, count] = [0, 0]; refused < 3 && count < MAX; count++)
      refused = (await create("x")).status === 200 ? 0 : refused + 1;
    expectError(await create("x"), 507, "storage_full");
  }
  return {
    ...small,
    fillRest,
    readiness: async () => (await sendTo(own.service.url, "/ready")).status,
    admin: (...command: string[]) =>
      runAdmin(command, {
        ...{ PATH: process.env.PATH, NODE_ENV: "production", NEXTAUTH_URL: own.service.url },
        ...own.service.storage,
        ...disk().variables,
      }),
  };
}

describe.each(smallDiskKinds)("on %s", (kind) => {
  const { disk, fillRest, readiness, admin } = onSmallDisk(kind);

  test("readiness and the doctor say so while nothing can be stored, and no longer", async () => {
    expect(await readiness()).toBe(200);
    expect((await admin("doctor")).stdout).not.toContain('"room"');
    disk().fill();
    await fillRest();
    await expect.poll(readiness, { timeout: 15_000 }).toBe(503);
    const { status, stdout } = await admin("doctor");
    expect([status, stdout]).toEqual([1, expect.stringContaining("The database has no space left")]);
    disk().free();
    await expect.poll(readiness).toBe(200);
    expect((await admin("doctor")).stdout).not.toContain('"room"');
  });
});

// Where the database alone may not grow, no other file can make room for it.
describe.each(smallDiskKinds.filter((kind) => kind === "a file system without room"))("on %s", (kind) => {
  const { own, disk, call, create, fillRest, readiness, admin } = onSmallDisk(kind);

  test("what makes room works, and what takes room does not use up what is reserved for it", async () => {
    const friend = await own.operator.tell("createUser", "friend", PASSWORD);
    const reserve = join(disk().dataFolder, "latchkey.db-reserve");
    await expect.poll(() => statSync(reserve).size).toBeGreaterThan(5_000_000);
    const keys: string[] = [];
    for (let count = 0; count < KEYS; count++)
      keys.push(String((await create(randomBytes(20_000).toString("hex"))).body?.key));
    const [first = "", second = "", ...others] = keys;
    expectSuccess(await call(`/keys/admin_add/${first}`, { key: first, username: "friend" }));

    disk().fill();
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

    disk().free();
    disk().fill();
    await own.service.kill();
    const deleted = await admin("user:delete", "friend", "--yes");
    expect([deleted.status, deleted.stderr]).toEqual([0, ""]);
    // That command, as the last that had the database open, has removed the files that SQLite needs to open it.
    disk().fill();
    const disabled = await admin("user:disable", "someone");
    expect([disabled.status, disabled.stderr]).toEqual([0, ""]);
  });
});
