import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectError, expectSuccess } from "@/tests/contract/answers";
import { ask } from "@/tests/support/http";
import { newUserOf } from "@/tests/support/operator";
import { type RunningService, startService } from "@/tests/support/service";

let service: RunningService;
let token: string;
let server: Client;
beforeAll(async () => {
  service = await startService({ lane: "direct", database: "postgresql" });
  token = await newUserOf(service, "someone");
  const address = new URL(String(service.storage.DATABASE_URL));
  address.pathname = "/postgres";
  server = new Client(address.href);
  await server.connect();
});
afterAll(async () => {
  await server?.end();
  await service?.stop();
});

const call = (path: string, query: Record<string, string> = {}) => ask(path, { query: { ...query, auth: token } }, service.url);

/** Lets the service's database refuse everybody, or lets it answer again. */
async function allowConnections(allowed: boolean): Promise<void> {
  const name = new URL(String(service.storage.DATABASE_URL)).pathname.slice(1);
  await server.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS ${allowed}`);
  if (!allowed) await server.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [name]);
}

test("while the database is away every route says so and when to come back, and then all is well without a restart", async () => {
  const id = String(expectSuccess(await call("/keys/create", { data: "before", price: "1" })).body?.key);
  await allowConnections(false);
  for (const path of ["/health", "/me", `/keys/get/${id}`, "/keys/mine", `/keys/delete/${id}`, "/read-files", "/link/code"])
    expectError(await call(path), 503, "unavailable");
  expectError(await call("/keys/create", { data: "lost", price: "1" }), 503, "unavailable");
  const poll = await call("/link/user", { code: "QXQXQX" });
  expect([poll.status, poll.text]).toEqual([503, '{"linked":false,"token":""}']);

  await allowConnections(true);
  expectSuccess(await call("/health"));
  expect((await call("/keys/mine")).list.map(({ data }) => data)).toEqual(["before"]);
});
