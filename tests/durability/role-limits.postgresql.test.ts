import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectError } from "@/tests/contract/answers";
import { ask } from "@/tests/support/http";
import { startWithOneUser } from "./one-user";

/** What the database, or the role, allows no longer than it takes: 503, and nothing of it is stored. */

const own = startWithOneUser("postgresql");
let client: Client;
let database: string;
beforeAll(async () => {
  const address = own.service.storage.DATABASE_URL ?? "";
  database = new URL(address).pathname.slice(1);
  client = new Client(address);
  await client.connect();
});
afterAll(() => client.end());

/** For connections that are opened from now on. */
async function limitTo(settings: Record<string, string>): Promise<void> {
  await client.query(`ALTER DATABASE "${database}" RESET ALL`);
  for (const [name, value] of Object.entries(settings))
    await client.query(`ALTER DATABASE "${database}" SET ${name} = '${value}'`);
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
}

const create = () =>
  ask("/keys/create", { query: { data: "a secret", price: "1", auth: own.user.token } }, own.service.url);
const count = async () => Number((await client.query('SELECT count(*) AS "keys" FROM "Key"')).rows[0].keys);

test.for(["statement_timeout", "lock_timeout"])(
  "%s of the database: 503 `unavailable`, and 200 afterwards",
  async (name) => {
    await limitTo({ [name]: "300ms" });
    const before = await count();
    await client.query('BEGIN; LOCK TABLE "Key" IN ACCESS EXCLUSIVE MODE');
    expectError(await create(), 503, "unavailable");
    await client.query("ROLLBACK");
    expect(await count()).toBe(before);
    await expect.poll(async () => (await create()).status).toBe(200);
    await limitTo({});
  },
);

test("a database that may only be read: 503 for changes and for /ready, and 200 for what reads", async () => {
  await expect.poll(async () => (await create()).status).toBe(200);
  const [{ id: key }] = (await client.query('SELECT "id" FROM "Key"')).rows;
  await limitTo({ default_transaction_read_only: "on" });
  await expect.poll(async () => (await create()).status).toBe(503);
  expect((await ask("/ready", {}, own.service.url)).status).toBe(503);
  const { status } = await ask(`/keys/get/${key}`, { query: { auth: own.user.token } }, own.service.url);
  expect(status).toBe(200);
  await limitTo({});
  await expect.poll(async () => (await create()).status).toBe(200);
});
