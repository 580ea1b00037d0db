import { Client } from "pg";
import { expect, test } from "vitest";
import { GET as ready } from "@/app/(api)/ready/route";
import { createUser } from "@/lib/auth/users";
import { db, sql, transaction } from "@/lib/db/client";
import { isUnavailable } from "@/lib/db/errors";
import { insert } from "@/lib/db/insert";
import { sqlChange } from "@/lib/db/statement";
import { env } from "@/lib/env";
import { refusalOf } from "@/lib/http/refusal";
import { runScript } from "@/tests/support/admin";
import { makeUser, newUsername } from "@/tests/support/user";

const thrownBy = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error);

/** As a standby does, this database refuses every write from now on; connections that are open are ended. */
async function takeWrites(on: boolean) {
  const client = new Client(env.DATABASE_URL);
  await client.connect();
  const { rows } = await client.query("SELECT current_database() AS name");
  await client.query("SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE");
  await client.query(`ALTER DATABASE "${rows[0]?.name}" SET default_transaction_read_only = ${on ? "off" : "on"}`);
  const others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";
  await client.query(`SELECT pg_terminate_backend(pid) ${others}`);
  const count = async () => Number((await client.query(`SELECT count(*) ${others}`)).rows[0]?.count);
  await expect.poll(count).toBe(0);
  await client.end();
}

const readiness = async () => (await ready(new Request("http://localhost/ready"))).status;

test("a read-only database is unavailable for every write, not ready, and both again when it writes", async () => {
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

test("a database that a newer version has migrated is refused with a sentence", async () => {
  await db.$executeRaw`INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "finished_at")
    VALUES ('n', 'n', '20991231000000_newer', now())`;
  const { status, stderr } = await runScript("scripts/migrate.ts", [], process.env);
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(
      /^The database was migrated by a newer version of Latchkey \(20991231000000_newer\): start that version/,
    ),
  ]);
  await db.$executeRaw`DELETE FROM "_prisma_migrations" WHERE "id" = 'n'`;
});
