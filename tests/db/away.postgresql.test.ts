import { PrismaPg } from "@prisma/adapter-pg";
import { Client } from "pg";
import { describe, expect, inject, test } from "vitest";
import { GET as ready } from "@/app/(api)/ready/route";
import { createUser } from "@/lib/accounts/create";
import { refusalOf } from "@/lib/api/refusal";
import { db, postgresPool, sql, transaction } from "@/lib/platform/db/client";
import { isNotMigrated, isUnavailable } from "@/lib/platform/db/errors";
import { rowLock } from "@/lib/platform/db/lock";
import { insert, sqlChange } from "@/lib/platform/db/statement";
import { env } from "@/lib/platform/env";
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
