import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase, type ScratchPostgres, startPostgres } from "@/scripts/postgres";
import { freePort } from "@/scripts/scratch-server";
import { type Operator, startOperator } from "@/tests/soak/operator";
import { ask } from "@/tests/support/http";
import { type RunningService, startService } from "@/tests/support/service";

/** That of several hosts in one address, as libpq takes it, the one that accepts writes is used. */

let primary: ScratchPostgres;
let standby: ScratchPostgres;
let service: RunningService;
let operator: Operator;
let token: string;

beforeAll(async () => {
  primary = await startPostgres();
  const address = new URL(await createDatabase(primary.url, "latchkey"));
  standby = await startPostgres([], primary.url);
  const nobody = `127.0.0.1:${await freePort()}`;
  const hosts = [nobody, new URL(standby.url).host, address.host];
  const DATABASE_URL = `postgresql://latchkey@${hosts}/latchkey?target_session_attrs=read-write`;
  const variables = { DATABASE_URL, NEXTAUTH_URL: "https://keys.example.org" };
  service = await startService({ lane: "direct", database: "sqlite" }, variables);
  operator = await startOperator({ ...service.storage, ...variables });
  ({ token } = await operator.tell("createUser", "someone", "correct horse battery"));
});
afterAll(async () => {
  operator?.stop();
  await service?.stop();
  await standby?.stop();
  await primary?.stop();
});

const create = () =>
  ask("/keys/create", { query: { data: "a secret", price: "1", auth: token } }, service.url).then(
    ({ status }) => status,
  );

test("changes go to the host that takes them, and after a failover to the one that does then", async () => {
  for (let count = 0; count < 5; count++) expect(await create()).toBe(200);
  expect((await ask("/ready", {}, service.url)).status).toBe(200);
  await primary.crash();
  const client = new Client(standby.url);
  await client.connect();
  await client.query("SELECT pg_promote()");
  await client.end();
  await expect.poll(create, { timeout: 20_000, interval: 200 }).toBe(200);
  for (let count = 0; count < 20; count++) expect(await create()).toBe(200);
});
