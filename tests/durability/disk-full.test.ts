import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { expectError, expectSuccess } from "@/tests/contract/answers";
import { runAdmin } from "@/tests/support/admin";
import { smallDocument } from "@/tests/support/documents";
import { sized } from "@/tests/support/size";
import { smallDiskKinds } from "@/tests/support/small-disk";
import { startOnSmallDisk } from "./one-user";

const LARGE = 60_000;

// A database that may not grow stands in for a small file system where none can be mounted.
describe.each(smallDiskKinds.slice(0, sized(1, 2)))("on %s", (kind) => {
  const { own, disk, call, create } = startOnSmallDisk(kind);

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

    disk().fill();
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
    const environment = { PATH: process.env.PATH, NODE_ENV: "production" as const, ...own.service.storage };
    const imported = await runAdmin(["files:import", "someone", file], { ...environment, ...disk().variables });
    expect([imported.status, imported.stderr]).toEqual([1, expect.stringMatching(/no space left/)]);
    expect((await call("/read-files")).text).toBe(document);

    disk().free();
    expectSuccess(await store(large));
    expectSuccess(await call(`/keys/update/${first}`, { key: "data", data: large }));
    kept.set(first, large);
    const more = smallDocument("someone", randomBytes(500_000).toString("hex"));
    await own.operator.tell("importDocument", own.user, JSON.stringify(more));
    await own.service.kill();
    await own.service.restart();
    expect(new Map((await call("/keys/mine")).list.map(({ key, data }) => [key, data]))).toEqual(kept);
    const database = new Database(join(disk().dataFolder, "latchkey.db"), { readonly: true });
    expect(database.pragma("integrity_check", { simple: true })).toBe("ok");
    expect(database.pragma("foreign_key_check")).toEqual([]);
    database.close();
  });
});
