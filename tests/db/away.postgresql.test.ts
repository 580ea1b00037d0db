import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { PrismaPg } from "@prisma/adapter-pg";
import { Client, escapeIdentifier } from "pg";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import { GET as ready } from "@/app/(api)/ready/route";
import { createUser } from "@/lib/accounts/ways-in/create";
import { refusalOf } from "@/lib/api/refusal";
import { db, postgresPool, sql, transaction } from "@/lib/platform/db/client";
import { isNotMigrated, isUnavailable } from "@/lib/platform/db/errors";
import { rowLock } from "@/lib/platform/db/lock";
import { CONNECTION_SLOTS, PatientPool, type Slots } from "@/lib/platform/db/patient-pool";
import { insert, sqlChange } from "@/lib/platform/db/statement";
import { env } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";
import { PrismaClient } from "@/prisma/generated/postgresql/client";
import { makeUser, newUsername } from "@/tests/support/user";

const thrownBy = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error);
const OTHERS = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";
const cutConnections = () => postgresPool()?.query(`SELECT pg_terminate_backend(pid) ${OTHERS}`);

describe("unavailable is", () => {
  test("a database that does not exist", async () => {
    const database = inject("database");
    if (database.kind !== "postgresql") throw new Error("this file is for PostgreSQL");
    const url = new URL(database.server);
    url.pathname = "/latchkey_never_made";
    const client = new PrismaClient({ adapter: new PrismaPg({ connectionString: url.href }) });
    expect(isUnavailable(await thrownBy(client.user.count()))).toBe(true);
    await client.$disconnect();
  });

  test("a database without tables", async () => {
    for (const ask of [
      () => db.$queryRaw`SELECT "id" FROM "NoTable"`,
      () => transaction((tx) => tx.$queryRaw`SELECT "id" FROM "NoTable"`),
    ]) {
      const thrown = await thrownBy(ask());
      expect(isNotMigrated(thrown)).toBe(true);
      expect(refusalOf(thrown, "a request failed")).toMatchObject({ status: 503, code: "unavailable" });
    }
    expect(isNotMigrated({ code: "P2021" })).toBe(true);
  });
});

test.each(["ENETUNREACH", "EHOSTUNREACH", "EADDRNOTAVAIL", "ECONNABORTED"])(
  "a network that answers %s, for any address of the server, is one that is unavailable",
  (code) => {
    const failed = Object.assign(new Error("connect"), { code });
    expect(isUnavailable(failed)).toBe(true);
    const other = Object.assign(new Error("connect"), { code: "EINVAL" });
    expect(isUnavailable(Object.assign(new AggregateError([other, failed]), { code: "EINVAL" }))).toBe(true);
    expect(isUnavailable(other)).toBe(false);
  },
);

describe("a connection that is cut", () => {
  test("in the middle of a statement refuses it, and the next statement gets a new one", async () => {
    const { id } = await makeUser();
    const slow = thrownBy(db.$queryRaw`SELECT pg_sleep(20)::text`);
    const sleeping = async () => (await postgresPool()?.query(`SELECT ${OTHERS} AND wait_event = 'PgSleep'`))?.rowCount;
    await expect.poll(sleeping).toBe(1);
    await cutConnections();
    expect(isUnavailable(await slow)).toBe(true);
    expect(await db.user.count({ where: { id } })).toBe(1);
  });

  test("in the middle of a transaction undoes it", async () => {
    const { id } = await makeUser();
    const broken = transaction(async (tx) => {
      await tx.user.update({ where: { id }, data: { role: "admin" } });
      await cutConnections();
      await tx.user.update({ where: { id }, data: { role: "admin" } });
    });
    expect(isUnavailable(await thrownBy(broken))).toBe(true);
    expect((await db.user.findUniqueOrThrow({ where: { id } })).role).toBe("user");
  });

  test("between two statements of a transaction refuses it, and nothing else", async () => {
    const { id } = await makeUser();
    const work = sql.write(async (tx) => {
      await tx.write(sqlChange`UPDATE "User" SET "disabledAt" = ${new Date()} WHERE "id" = ${id}`);
      await cutConnections();
      await new Promise((resolve) => setTimeout(resolve, 300));
      await tx.write(rowLock.user(id));
    });
    expect(isUnavailable(await thrownBy(work))).toBe(true);
    expect(await db.user.findUnique({ where: { id }, select: { disabledAt: true } })).toEqual({ disabledAt: null });
  });
});

describe("a read-only database", () => {
  /** As a standby does, this database refuses every write from now on; connections that are open are ended. */
  async function takeWrites(on: boolean) {
    const client = new Client(env.DATABASE_URL);
    await client.connect();
    const { rows } = await client.query("SELECT current_database() AS name");
    await client.query("SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE");
    await client.query(`ALTER DATABASE "${rows[0]?.name}" SET default_transaction_read_only = ${on ? "off" : "on"}`);
    await client.query(`SELECT pg_terminate_backend(pid) ${OTHERS}`);
    const count = async () => Number((await client.query(`SELECT count(*) ${OTHERS}`)).rows[0]?.count);
    await expect.poll(count).toBe(0);
    await client.end();
  }
  const readiness = async () => (await ready(new Request("http://localhost/ready"))).status;

  test("is unavailable for every write, not ready, and both again when it writes", async () => {
    const { id, username } = await makeUser();
    await expect.poll(readiness).toBe(200);
    await takeWrites(false);
    const promote = sqlChange`UPDATE "User" SET "role" = 'admin' WHERE "id" = ${id}`;
    const retired = (name: string) => insert("RetiredName", { usernameKey: name, retiredAt: new Date() });
    const writes: Record<string, () => Promise<unknown>> = {
      client: () => db.user.update({ where: { id }, data: { role: "admin" } }),
      transaction: () => transaction((tx) => tx.user.update({ where: { id }, data: { role: "admin" } })),
      "a batch of one": () => sql.batch([promote]),
      "statements in a transaction": () => sql.write((tx) => tx.write(promote)),
      "a batch of two": () => sql.batch([promote, retired(newUsername())]),
      verb: () => createUser({ username: newUsername(), password: null }),
    };
    for (const [way, write] of Object.entries(writes)) {
      const error = await thrownBy(write());
      expect([way, isUnavailable(error), refusalOf(error, way).status]).toEqual([way, true, 503]);
    }
    expect(await db.user.findUnique({ where: { id }, select: { username: true } })).toEqual({ username });
    await expect.poll(readiness).toBe(503);
    await takeWrites(true);
    await expect.poll(readiness).toBe(200);
    for (const write of Object.values(writes)) await write();
  });

  test("costs the connection that it refused a write on", async () => {
    await makeUser();
    await takeWrites(false);
    const pids = async () => (await db.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS "pid"`)[0]?.pid;
    const before = await pids();
    await thrownBy(transaction((tx) => tx.user.updateMany({ data: { role: "user" } })));
    await takeWrites(true);
    await expect.poll(pids).not.toBe(before);
    await makeUser();
  });
});

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
