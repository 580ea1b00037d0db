import { PrismaPg } from "@prisma/adapter-pg";
import { expect, inject, test } from "vitest";
import { db, postgresPool, sql, transaction } from "@/lib/db/client";
import { isUnavailable } from "@/lib/db/errors";
import { rowLock } from "@/lib/db/lock";
import { sqlChange } from "@/lib/db/statement";
import { PrismaClient } from "@/prisma/generated/postgresql/client";
import { freePort } from "@/scripts/scratch-server";
import { makeUser } from "@/tests/support/user";

const thrownBy = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error);

/** Ends every connection of this test's database but the one that asks. */
async function cutConnections() {
  await postgresPool()?.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid " +
      "<> pg_backend_pid()",
  );
}

/** How many statements of this test's database sleep. */
const sleeping = async () =>
  (
    await postgresPool()?.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'",
    )
  )?.rowCount;

test("a server that is not there is recognised as unavailable", async () => {
  const client = new PrismaClient({
    adapter: new PrismaPg({ connectionString: `postgresql://latchkey@127.0.0.1:${await freePort()}/none` }),
  });
  expect(isUnavailable(await thrownBy(client.user.count()))).toBe(true);
  expect(isUnavailable(await thrownBy(client.$queryRaw`SELECT 1`))).toBe(true);
  expect(isUnavailable(await thrownBy(client.$transaction((tx) => tx.user.count())))).toBe(true);
  await client.$disconnect();
});

test("a database that does not exist is recognised as unavailable", async () => {
  const database = inject("database");
  if (database.kind !== "postgresql") throw new Error("this file is for PostgreSQL");
  const url = new URL(database.server);
  url.pathname = "/latchkey_never_made";
  const client = new PrismaClient({ adapter: new PrismaPg({ connectionString: url.href }) });
  expect(isUnavailable(await thrownBy(client.user.count()))).toBe(true);
  await client.$disconnect();
});

test(
  "a connection that is cut in the middle of a statement is recognised, and the next statement gets a " + "new one",
  async () => {
    const { id } = await makeUser();
    const slow = thrownBy(db.$queryRaw`SELECT pg_sleep(20)::text`);
    await expect.poll(sleeping).toBe(1);
    await cutConnections();
    expect(isUnavailable(await slow)).toBe(true);
    expect(await db.user.count({ where: { id } })).toBe(1);
  },
);

test("a connection that is cut in the middle of a transaction undoes it", async () => {
  const { id } = await makeUser();
  const broken = thrownBy(
    transaction(async (tx) => {
      await tx.user.update({ where: { id }, data: { role: "admin" } });
      await cutConnections();
      await tx.user.update({ where: { id }, data: { role: "admin" } });
    }),
  );
  expect(isUnavailable(await broken)).toBe(true);
  expect((await db.user.findUniqueOrThrow({ where: { id } })).role).toBe("user");
});

test("a connection that is cut between two statements of a transaction refuses it, and nothing else", async () => {
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
