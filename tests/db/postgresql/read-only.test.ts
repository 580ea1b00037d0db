import { expect, test } from "vitest";
import { GET as ready } from "@/app/(api)/ready/route";
import { createUser } from "@/lib/auth/users";
import { db, postgresPool, sql, sqlTransaction, transaction, writeTogether } from "@/lib/db/client";
import { isUnavailable } from "@/lib/db/errors";
import { refusalOf } from "@/lib/http/refusal";
import { runScript } from "@/tests/support/admin";
import { makeUser, newUsername } from "@/tests/support/user";

const thrownBy = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error);

/** What a standby says to every write, this database says from now on, to connections that are open too. */
async function takeWrites(on: boolean) {
  const client = await postgresPool()?.connect();
  await client?.query("SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE");
  const { rows } = (await client?.query("SELECT current_database() AS name")) ?? { rows: [] };
  await client?.query(`ALTER DATABASE "${rows[0]?.name}" SET default_transaction_read_only = ${on ? "off" : "on"}`);
  client?.release(true);
  await db.$queryRaw`SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`.catch(
    () => {},
  );
}

const readiness = async () => (await ready(new Request("http://localhost/ready"))).status;

test("a database that only reads is unavailable for writes of every way, not ready, and both again when it writes", async () => {
  const { id, username } = await makeUser();
  await expect.poll(readiness).toBe(200);
  await takeWrites(false);
  const writes: Record<string, () => Promise<unknown>> = {
    client: () => db.user.update({ where: { id }, data: { role: "admin" } }),
    transaction: () => transaction((tx) => tx.user.update({ where: { id }, data: { role: "admin" } })),
    statement: () => sql.$executeRaw`UPDATE "User" SET "role" = 'admin' WHERE "id" = ${id}`,
    "statements in a transaction": () => sqlTransaction((tx) => tx.$executeRaw`UPDATE "User" SET "role" = 'admin' WHERE "id" = ${id}`),
    "statements together": () => writeTogether(async (tx) => void (await tx.$executeRaw`UPDATE "User" SET "role" = 'admin' WHERE "id" = ${id}`)),
    verb: () => createUser({ username: newUsername(), password: null }),
  };
  for (const [way, write] of Object.entries(writes)) {
    const error = await thrownBy(write());
    expect([way, isUnavailable(error), refusalOf(error, way).status]).toEqual([way, true, 503]);
  }
  expect(await db.user.findUnique({ where: { id }, select: { username: true } })).toEqual({ username });
  await expect.poll(readiness, { timeout: 10_000 }).toBe(503);
  await takeWrites(true);
  await expect.poll(readiness, { timeout: 10_000 }).toBe(200);
  for (const write of Object.values(writes)) await write();
});

test("a connection that only reads is given up after the write that it refused", async () => {
  await makeUser();
  await takeWrites(false);
  const pids = async () => (await db.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS "pid"`)[0]?.pid;
  const before = await pids();
  await thrownBy(transaction((tx) => tx.user.updateMany({ data: { role: "user" } })));
  await takeWrites(true);
  await expect.poll(pids).not.toBe(before);
  await makeUser();
});

test("a database that a newer version has migrated is refused with a sentence", { timeout: 60_000 }, async () => {
  await db.$executeRaw`INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "finished_at") VALUES ('n', 'n', '20991231000000_newer', now())`;
  const { status, stderr } = await runScript("scripts/migrate.ts", [], process.env);
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/^The database was migrated by a newer version of Latchkey \(20991231000000_newer\): start that version/),
  ]);
  await db.$executeRaw`DELETE FROM "_prisma_migrations" WHERE "id" = 'n'`;
});
