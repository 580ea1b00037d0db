import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectError, expectSuccess } from "@/tests/contract/answers";
import { type Answer, ask } from "@/tests/support/http";
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

async function timed(asking: Promise<Answer>): Promise<{ answer: Answer; ms: number }> {
  const started = performance.now();
  return { answer: await asking, ms: performance.now() - started };
}

describe("while another process writes for longer than anybody waits", () => {
  test("reads continue, writes are refused with 503, and afterwards everything works again", async () => {
    const id = String(expectSuccess(await call("/keys/create", { data: "before", price: "1" })).body?.key);
    other.exec("BEGIN IMMEDIATE");
    const refused = Promise.all([
      timed(call("/keys/create", { data: "lost", price: "1" })),
      timed(call(`/keys/update/${id}`, { key: "data", data: "lost" })),
      timed(call(`/keys/delete/${id}`)),
    ]);
    for (let count = 0; count < 30; count++) {
      const { answer, ms } = await timed(call(`/keys/get/${id}`));
      expect(expectSuccess(answer).body?.data).toBe("before");
      expect(ms).toBeLessThan(1_000);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    for (const { answer, ms } of await refused) {
      expectError(answer, 503, "unavailable");
      expect(ms).toBeLessThan(12_000);
    }
    other.exec("COMMIT");
    expect((await call("/keys/mine")).list.map(({ data }) => data)).toEqual(["before"]);
    expectSuccess(await call(`/keys/update/${id}`, { key: "data", data: "after" }));
  });
});
