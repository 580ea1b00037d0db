import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, escapeIdentifier } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { CONNECTION_SLOTS, PatientPool, type Slots } from "@/lib/platform/db/patient-pool";
import { env } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";

/** Of a pool that nobody shares. */
const MOST = 10;
const LASTS_MS = 4_000;

/** The address of a role that may have so many connections at the same time. */
async function roleWith(slots: number): Promise<string> {
  const admin = new Client(env.DATABASE_URL);
  await admin.connect();
  const name = `slots_${newId()}`;
  await admin.query(`CREATE ROLE ${escapeIdentifier(name)} LOGIN PASSWORD 'word' CONNECTION LIMIT ${slots}`);
  onTestFinished(async () => {
    await admin.query(`DROP ROLE ${escapeIdentifier(name)}`);
    await admin.end();
  });
  return Object.assign(new URL(String(env.DATABASE_URL)), { username: name, password: "word" }).href;
}

function open(connectionString: string): PatientPool {
  const pool = new PatientPool({ connectionString, max: MOST, connectionTimeoutMillis: 5_000 });
  pool.on("error", () => {});
  return pool;
}

test.for([
  [7, 1],
  [7, 3],
  [10, 3],
  [20, 3],
] as const)("of %i connections that the server allows, %i processes refuse nobody", async ([slots, processes]) => {
  const address = await roleWith(slots);
  const pools = Array.from({ length: processes }, () => open(address));
  const until = performance.now() + LASTS_MS;
  const answered = pools.map(() => 0);
  const clientOf = async (pool: PatientPool, which: number) => {
    while (performance.now() < until) {
      await pool.query("SELECT pg_sleep(0.005)");
      answered[which] = (answered[which] ?? 0) + 1;
    }
  };
  await Promise.all(pools.flatMap((pool, which) => Array.from({ length: 12 }, () => clientOf(pool, which))));
  for (const count of answered) expect(count).toBeGreaterThan(0);
  const { rows } = await (pools[0] as PatientPool).query<Slots>(CONNECTION_SLOTS);
  expect(rows[0]?.all).toBe(slots);
  await Promise.all(pools.map((pool) => pool.end()));
});

test("one that has connections enough lets another in that has none", async () => {
  const address = await roleWith(4);
  const [first, second] = [open(address), open(address)];
  const busy = () => Promise.all(Array.from({ length: 4 }, () => first.query("SELECT pg_sleep(0.05)")));
  await busy();
  expect(first.totalCount).toBe(4);
  let isIn = false;
  const other = second.query("SELECT 1").then(() => {
    isIn = true;
  });
  while (!isIn) await busy();
  await other;
  await Promise.all([first.end(), second.end()]);
});

/** The same address through a relay that counts connections. */
async function counted(address: string): Promise<{ address: string; count(): number }> {
  const to = new URL(address);
  let count = 0;
  const relay = createServer((client) => {
    count++;
    const server = connect(Number(to.port), to.hostname);
    client.on("error", () => server.destroy()).pipe(server);
    server.on("error", () => client.destroy()).pipe(client);
  });
  await once(relay.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void relay.close());
  return {
    address: Object.assign(new URL(address), { host: `127.0.0.1:${(relay.address() as AddressInfo).port}` }).href,
    count: () => count,
  };
}

/** Asks all the time, as 12 at once. Returns a function that ends it, and throws what was thrown. */
function askAllTheTime(pool: PatientPool): () => Promise<unknown> {
  let isOver = false;
  const asking = Promise.all(
    Array.from({ length: 12 }, async () => {
      while (!isOver) await pool.query("SELECT pg_sleep(0.005)");
    }),
  );
  asking.catch(() => {});
  return () => {
    isOver = true;
    return asking;
  };
}

test("a pool that grows again where there is no more tries once or twice, and then waits", async () => {
  const { address, count } = await counted(await roleWith(1));
  const pool = open(address);
  const stop = askAllTheTime(pool);
  await sleep(LASTS_MS);
  const before = count();
  // In this time it grows.
  await expect.poll(count).toBeGreaterThan(before);
  await sleep(2_000);
  expect(count() - before).toBeLessThan(20);
  await stop();
  await pool.end();
});

test("many who find the server full wait together for its first connection", async () => {
  const role = await roleWith(1);
  const other = new Client(role);
  await other.connect();
  const { address, count } = await counted(role);
  const pool = open(address);
  const stop = askAllTheTime(pool);
  await sleep(3_000);
  expect(count()).toBeGreaterThan(1);
  expect(count()).toBeLessThan(100);
  await other.end();
  await expect.poll(() => pool.idleCount + pool.waitingCount > 0 && pool.totalCount).toBe(1);
  await stop();
  await pool.end();
});
