import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectError, expectSuccess } from "@/tests/contract/answers";
import { ask } from "@/tests/support/http";
import { newUserOf } from "@/tests/support/operator";
import { type RunningService, startService } from "@/tests/support/service";

let service: RunningService;
let token: string;
let other: Database.Database;
beforeAll(async () => {
  service = await startService({ lane: "direct", database: "sqlite" });
  token = await newUserOf(service, "someone");
  other = new Database(join(String(service.storage.DATA_DIR), "latchkey.db"));
});
afterAll(async () => {
  other?.close();
  await service?.stop();
});

const call = (path: string, query: Record<string, string> = {}) =>
  ask(path, { query: { ...query, auth: token } }, service.url);

describe("while another process writes for longer than anybody waits", () => {
  test("reads continue, writes are refused with 503, and afterwards everything works again", async () => {
    const id = String(expectSuccess(await call("/keys/create", { data: "before", price: "1" })).body?.key);
    other.exec("BEGIN IMMEDIATE");
    let areRefused = false;
    const refused = Promise.all([
      call("/keys/create", { data: "lost", price: "1" }),
      call(`/keys/update/${id}`, { key: "data", data: "lost" }),
      call(`/keys/delete/${id}`),
    ]).finally(() => {
      areRefused = true;
    });
    let reads = 0;
    for (; !areRefused; reads++) {
      expect(expectSuccess(await call(`/keys/get/${id}`)).body?.data).toBe("before");
      await sleep(100);
    }
    // Each of them while the writes waited: none waited with them.
    expect(reads).toBeGreaterThan(5);
    for (const answer of await refused) expectError(answer, 503, "unavailable");
    other.exec("COMMIT");
    expect((await call("/keys/mine")).list.map(({ data }) => data)).toEqual(["before"]);
    expectSuccess(await call(`/keys/update/${id}`, { key: "data", data: "after" }));
  });
});
