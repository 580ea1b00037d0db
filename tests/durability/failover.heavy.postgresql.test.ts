import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createDatabase, type ScratchPostgres, startPostgres } from "@/scripts/postgres";
import { expectError, expectSuccess } from "@/tests/contract/answers";
import { type Breakable, breakableWay } from "@/tests/support/breakable";
import { ask } from "@/tests/support/http";
import { newUserOf } from "@/tests/support/operator";
import type { Answer } from "@/tests/support/request";
import { type RunningService, startService } from "@/tests/support/service";

/** A primary that dies, and its standby, which is promoted under the same address: what a managed PostgreSQL does. */

const MINUTE = 60_000;

let primary: ScratchPostgres;
let standby: ScratchPostgres;
let way: Breakable;
let service: RunningService;
let variables: { DATABASE_URL: string; NEXTAUTH_URL: string };
let token: string;

const portOf = ({ url }: ScratchPostgres) => Number(new URL(url).port);

async function tell({ url }: ScratchPostgres, ...statements: string[]): Promise<void> {
  const client = new Client(url);
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

beforeAll(async () => {
  primary = await startPostgres();
  standby = await startPostgres([], primary.url);
  // An acknowledged write is on both.
  await tell(primary, "ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()");
  way = await breakableWay("127.0.0.1", portOf(primary));
  const address = new URL(await createDatabase(primary.url, "latchkey"));
  address.host = `127.0.0.1:${way.port}`;
  variables = { DATABASE_URL: address.href, NEXTAUTH_URL: "https://keys.example.org" };
  service = await startService({ lane: "direct", database: "sqlite" }, variables);
  token = await newUserOf({ ...service, storage: { ...service.storage, ...variables } }, "someone");
}, 2 * MINUTE);
afterAll(async () => {
  await service?.stop();
  await way?.cut();
  await standby?.stop();
  await primary?.stop();
});

const call = (path: string, query: Record<string, string> = {}) =>
  ask(path, { query: { ...query, auth: token } }, service.url);
const createKey = (data: string) => call("/keys/create", { data, price: "1" });
const readiness = async () => (await call("/ready")).status;

/**
 * Goes on creating keys, one after the other, until told to stop; answers what was acknowledged, and every other
 * answer.
 */
function createOnAndOn() {
  const acknowledged: string[] = [];
  const refused: Answer[] = [];
  let isOver = false;
  const work = (async () => {
    while (!isOver) {
      const data = randomBytes(8).toString("hex");
      const answer = await createKey(data);
      if (answer.status === 200) acknowledged.push(data);
      else refused.push(answer);
      await sleep(5);
    }
  })();
  return {
    acknowledged,
    refused,
    stop: async () => {
      isOver = true;
      await work;
    },
  };
}

test("when the primary dies, writes are 503 until the standby leads, and nothing acknowledged is lost", async () => {
  const writing = createOnAndOn();
  onTestFinished(writing.stop);
  await expect.poll(() => writing.acknowledged.length, { timeout: MINUTE }).toBeGreaterThan(50);
  way.leadTo(portOf(standby));
  await primary.crash();
  await expect.poll(() => writing.refused.length, { timeout: MINUTE }).toBeGreaterThan(0);
  // The standby answers who reads, and it is not ready.
  await expect.poll(async () => (await call("/keys/mine")).status, { timeout: MINUTE }).toBe(200);
  expectError(await createKey("lost"), 503, "unavailable");
  expect(await readiness()).toBe(503);
  let isSecondReady = false;
  const second = startService(
    { lane: "direct", database: "sqlite" },
    { ...variables, AUTH_SECRET: String(service.storage.AUTH_SECRET) },
  );
  second.then(
    () => (isSecondReady = true),
    () => {},
  );
  await sleep(3_000);
  expect(isSecondReady).toBe(false);

  const before = writing.acknowledged.length;
  await tell(standby, "SELECT pg_promote()");
  await expect.poll(readiness, { timeout: MINUTE }).toBe(200);
  await expect.poll(() => writing.acknowledged.length, { timeout: MINUTE }).toBeGreaterThan(before + 50);
  await writing.stop();
  for (const answer of writing.refused) expectError(answer, 503, "unavailable");

  const kept = new Set((await call("/keys/mine")).list.map((key) => key.data));
  expect(writing.acknowledged.filter((data) => !kept.has(data))).toEqual([]);
  expect(kept).not.toContain("lost");

  // It started while there was nobody to write to, and waited.
  const other = await second;
  expectSuccess(await ask("/keys/create", { query: { auth: token, data: "on the other", price: "1" } }, other.url));
  await other.stop();
});
