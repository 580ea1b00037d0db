import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ScratchPostgres, startPostgres } from "@/scripts/postgres";
import { type Ended, runAdmin, runScript } from "@/tests/support/admin";

let server: ScratchPostgres;
let operator: Client;
beforeAll(async () => {
  server = await startPostgres(["fsync=off", "synchronous_commit=on"]);
  operator = new Client(server.url);
  await operator.connect();
});
afterAll(async () => {
  await operator?.end();
  await server?.stop();
});

/** Whom commits wait for. */
async function waitFor(standby: string): Promise<void> {
  await operator.query(`ALTER SYSTEM SET synchronous_standby_names = '${standby}'`);
  await operator.query("SELECT pg_reload_conf()");
}

const waiting = async () =>
  (await operator.query("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'")).rowCount;

test("a commit that waits for a standby is waited for as long as DATABASE_TIMEOUT_SECONDS says", async () => {
  const environment = {
    PATH: process.env.PATH,
    AUTH_SECRET: process.env.AUTH_SECRET,
    NODE_ENV: "test" as const,
    DATABASE_URL: server.url,
  };
  expect((await runScript("scripts/migrate.ts", [], environment)).status).toBe(0);
  await waitFor("away");
  const create = (name: string, DATABASE_TIMEOUT_SECONDS: string) =>
    runAdmin(["user:create", name], { ...environment, DATABASE_TIMEOUT_SECONDS });
  let patient: Ended | undefined;
  const waits = create("patient", "3000").then((ended) => {
    patient = ended;
  });
  await expect.poll(waiting, { timeout: 60_000 }).toBe(1);
  const { status, stdout, stderr } = await create("impatient", "1");
  expect([status, stdout, stderr]).toEqual([1, "", expect.stringContaining("does not respond (ETIMEDOUT)")]);
  await sleep(100);
  expect(patient).toBeUndefined();
  await waitFor("");
  await waits;
  expect(patient).toMatchObject({ status: 0, stderr: "" });
});
