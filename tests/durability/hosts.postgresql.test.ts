import { readFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { connectDirectly } from "@/lib/platform/db/postgres-session";
import { createDatabase, type ScratchPostgres, startPostgres } from "@/scripts/postgres";
import { freePort } from "@/scripts/scratch-server";
import { startOperator } from "@/tests/soak/operator";
import { runScript } from "@/tests/support/admin";
import { tellPostgres } from "@/tests/support/databases";
import { ask } from "@/tests/support/http";
import { type RunningService, startService } from "@/tests/support/service";
import { breakableWay } from "@/tests/support/sockets";

/**
 * Of several hosts in one address, as libpq takes it, the one that accepts writes is used. One that takes connections
 * and says nothing, as one that is frozen, is left like one that refuses them.
 */

const target = { lane: "direct", database: "sqlite" } as const;
const NEXTAUTH_URL = "https://keys.example.org";

let primary: ScratchPostgres;
let standby: ScratchPostgres;
const sockets = new Set<Socket>();
const silent = createServer((socket) => void sockets.add(socket.on("error", () => {})));
let silence: string;
const hostOf = ({ url }: ScratchPostgres) => new URL(url).host;
const addressOf = (...hosts: string[]) => `postgresql://latchkey@${hosts}/latchkey`;
const portOf = ({ url }: ScratchPostgres) => Number(new URL(url).port);

beforeAll(async () => {
  primary = await startPostgres();
  await createDatabase(primary.url, "latchkey");
  standby = await startPostgres([], primary.url);
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  silence = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  silent.close();
  await standby?.stop();
  await primary?.stop();
});

const status = (service: RunningService, path = "/ready") =>
  ask(path, {}, service.url)
    .then((answer) => answer.status)
    .catch(() => 0);

test("connections for migrations and backups leave hosts that are silent, away or only read", async () => {
  const nobody = `127.0.0.1:${await freePort()}`;
  for (const hosts of [
    [silence, hostOf(primary)],
    [nobody, hostOf(standby), hostOf(primary)],
  ]) {
    const { client } = await connectDirectly({ connectionString: addressOf(...hosts) });
    expect(`${client.host}:${client.port}`).toBe(hostOf(primary));
    await client.end();
  }
});

test("a migration runs at the host of DIRECT_DATABASE_URL that accepts writes, if DATABASE_URL has one", async () => {
  const DATABASE_URL = await createDatabase(primary.url, "migrated");
  await expect.poll(() => isOnStandby("migrated")).toBe(true);
  const { PATH, AUTH_SECRET = "of-a-migration-".repeat(3) } = process.env;
  const variables = { PATH, AUTH_SECRET, NEXTAUTH_URL, NODE_ENV: "test" as const };
  const DIRECT_DATABASE_URL = `postgresql://latchkey@${hostOf(standby)},${hostOf(primary)}/migrated`;
  const ended = await runScript("scripts/migrate.ts", [], { ...variables, DATABASE_URL, DIRECT_DATABASE_URL });
  expect(ended).toMatchObject({ status: 0, stderr: "", stdout: expect.stringMatching(/^Migrated: /) });
});

const isOnStandby = async (database: string) =>
  (await tellPostgres(standby.url, `SELECT FROM pg_database WHERE datname = '${database}'`)).length === 1;

/** A service at this address, and what creates a key there; `direct`: for the operator. Both end with the test. */
async function startAt(DATABASE_URL: string, direct = DATABASE_URL, more: Record<string, string> = {}) {
  const service = await startService(target, { DATABASE_URL, NEXTAUTH_URL, ...more });
  onTestFinished(() => service.stop());
  const operator = await startOperator({ ...service.storage, NEXTAUTH_URL, DATABASE_URL: direct });
  onTestFinished(() => operator.stop());
  const { token } = await operator.tell("createUser", "someone", "correct horse battery");
  const query = { data: "a secret", price: "1", auth: token };
  const create = () => ask("/keys/create", { query }, service.url).then((answer) => answer.status);
  return { service, create };
}

test("a service starts at the next host, and leaves one that falls silent later", async () => {
  const way = await breakableWay("127.0.0.1", portOf(primary));
  onTestFinished(() => way.cut());
  const DATABASE_URL = addressOf(silence, `127.0.0.1:${way.port}`, hostOf(primary));
  // Longer than a connection may take: that must be enough.
  const patience = { DATABASE_TIMEOUT_SECONDS: "8" };
  const { create } = await startAt(DATABASE_URL, addressOf(hostOf(primary)), patience);
  expect(await create()).toBe(200);
  way.freeze();
  await expect.poll(create, { timeout: 60_000 }).toBe(200);
  // More than there are connections: none of them goes back to the silent one.
  expect(await Promise.all(Array.from({ length: 50 }, create))).toEqual(Array(50).fill(200));
});

test("a service whose only host is silent waits for it", async () => {
  const way = await breakableWay("127.0.0.1", portOf(primary));
  onTestFinished(() => way.cut());
  await createDatabase(primary.url, "alone");
  const variables = { DATABASE_URL: `postgresql://latchkey@127.0.0.1:${way.port}/alone`, NEXTAUTH_URL };
  const service = await startService(target, variables);
  onTestFinished(() => service.stop());
  await service.kill();
  way.freeze();
  const started = service.restart();
  await expect.poll(() => status(service)).toBe(503);
  await expect
    .poll(() => readFileSync(service.logFile, "utf8"))
    .toContain(`127.0.0.1:${way.port} (DATABASE_URL) does not respond (timeout expired)`);
  await way.mend();
  await started;
  await expect.poll(() => status(service)).toBe(200);
});

// The last, because it ends the primary.
test("changes go to the host that takes them, and after a failover to the one that does then", async () => {
  await createDatabase(primary.url, "failover");
  await expect.poll(() => isOnStandby("failover")).toBe(true);
  const hosts = [`127.0.0.1:${await freePort()}`, hostOf(standby), hostOf(primary)];
  const address = `postgresql://latchkey@${hosts}/failover?target_session_attrs=read-write`;
  const { service, create } = await startAt(address);
  for (let count = 0; count < 5; count++) expect(await create()).toBe(200);
  expect(await status(service)).toBe(200);
  await primary.crash();
  await tellPostgres(standby.url, "SELECT pg_promote()");
  await expect.poll(create, { timeout: 60_000 }).toBe(200);
  for (let count = 0; count < 20; count++) expect(await create()).toBe(200);
});
