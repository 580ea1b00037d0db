import { Client, Pool, type PoolClient } from "pg";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { auditEvents } from "@/lib/platform/audit";
import { closeDatabase, db, postgresPool, sql, transaction } from "@/lib/platform/db/client";
import { isMissingReference, isUniqueViolation, isWriteConflict } from "@/lib/platform/db/errors";
import { rowLock } from "@/lib/platform/db/lock";
import { closeBeforeFreezing } from "@/lib/platform/db/postgres";
import { insert, integer, rowShape } from "@/lib/platform/db/statement";
import { env } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";
import { makeUser, newSession } from "@/tests/support/user";

const named = rowShape({ u: "User" }, { role: "u.role" });
const setRole = (id: string, role: string) => named.returning`UPDATE "User" SET "role" = ${role} WHERE "id" = ${id}`;
const roleOf = (id: string) => named.from`"User" u WHERE u."id" = ${id}`;
const quotient = rowShape({}, { quotient: integer("1 / count(*)") });
const dividedBy = (id: string) => quotient.from`"User" u WHERE u."id" = ${id}`;
const event = (id: string) => auditEvents({ at: new Date(), action: "user.role", subjectId: id, actorId: null });
const events = (id: string) => db.auditEvent.count({ where: { subjectId: id } });
/** Refused: of nobody. */
const missing = () => insert("Session", newSession(newId()));

describe("changes that are sent together", () => {
  test("are all undone by an error in their middle, and the connection works on", async () => {
    const { id } = await makeUser({ role: "user" });
    for (let attempt = 0; attempt < 3; attempt++) {
      // The first attempt prepares the statements on its connection, the next ones use them.
      await expect(sql.batch([event(id), missing(), event(id)])).rejects.toSatisfy(isMissingReference);
      await expect(sql.batchThenRead([setRole(id, "a"), missing()], roleOf(id))).rejects.toSatisfy(isMissingReference);
      const inTransaction = sql.write((tx) =>
        Promise.all([tx.write(event(id)), tx.write(missing()), tx.write(setRole(id, "a"))]),
      );
      await expect(inTransaction).rejects.toSatisfy(isMissingReference);
      expect(await sql.read(roleOf(id))).toEqual([{ role: "user" }]);
    }
    expect(await events(id)).toBe(0);
    expect((await sql.batchThenRead([setRole(id, "b"), event(id)], dividedBy(id))).rows).toEqual([{ quotient: 1 }]);
    await expect(sql.batchThenRead([setRole(id, "c"), event(id)], dividedBy(newId()))).rejects.toThrow("by zero");
    expect([await sql.read(roleOf(id)), await events(id)]).toEqual([[{ role: "c" }], 2]);
  });

  test("are an error where the work goes on after one was refused: nothing is written", async () => {
    const { id } = await makeUser({ role: "user" });
    const work = sql.write(async (tx) => {
      await tx.write(setRole(id, "a"));
      await tx.write(missing()).catch(() => {});
      return "done";
    });
    await expect(work).rejects.toThrow("nothing was written");
    expect(await sql.read(roleOf(id))).toEqual([{ role: "user" }]);
  });

  test("do not cost the connection where a row is refused", async () => {
    const pool = postgresPool();
    const { id } = await makeUser();
    const taken = newSession(id);
    await sql.batch([insert("Session", taken)]);
    // Connections of earlier tests may end at any moment: they were idle for long enough.
    const used = new Set<PoolClient>();
    let removed = 0;
    const use = (client: PoolClient) => used.add(client);
    const count = (client: PoolClient) => used.has(client) && removed++;
    pool?.on("acquire", use).on("remove", count);
    const again = () => insert("Session", taken);
    for (let attempt = 0; attempt < 3; attempt++)
      for (const work of [
        () => sql.batch([again()]),
        () => sql.batch([event(id), again()]),
        () => sql.batchThenRead([setRole(id, "a"), again()], roleOf(id)),
        () => sql.write((tx) => tx.write(again())),
      ])
        await expect(work()).rejects.toSatisfy(isUniqueViolation);
    pool?.off("acquire", use).off("remove", count);
    expect([used.size > 0, removed]).toEqual([true, 0]);
  });
});

describe("quick reads", () => {
  const connection = rowShape({ u: "User" }, { pid: integer("pg_backend_pid()"), id: "u.id" });
  const askedOn = (id: string) => connection.from`"User" u WHERE u."id" = ${id}`;

  test("of several requests share a connection, and half of all connections at most", async () => {
    // A connection takes no more after a while, which a busy machine may take for this.
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const { id } = await makeUser();
    const connections = async (count: number, read: typeof sql.read) => {
      const rows = await Promise.all(Array.from({ length: count }, () => read(askedOn(id))));
      expect(rows.flat().map((row) => row.id)).toEqual(Array(count).fill(id));
      return new Set(rows.flat().map(({ pid }) => pid)).size;
    };
    expect(await connections(8, sql.readQuickly)).toBe(1);
    expect(await connections(9, sql.readQuickly)).toBe(2);
    expect(await connections(500, sql.readQuickly)).toBe(env.DATABASE_CONNECTIONS / 2);
    expect(await connections(4, sql.read)).toBe(4);
  });

  test("fail alone, and each gets its own rows", async () => {
    const [one, other] = [await makeUser({ role: "one" }), await makeUser({ role: "other" })];
    const asked = [roleOf(one.id), dividedBy(newId()), roleOf(other.id), dividedBy(one.id), dividedBy(newId())];
    const outcomes = await Promise.allSettled(asked.map((query) => sql.readQuickly<unknown>(query)));
    expect(outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value[0] : "failed"))).toEqual([
      { role: "one" },
      "failed",
      { role: "other" },
      { quotient: 1 },
      "failed",
    ]);
    expect(await sql.readQuickly(roleOf(one.id))).toEqual([{ role: "one" }]);
  });

  test("are not held up by changes that wait for a lock", async () => {
    const { id } = await makeUser({ role: "user" });
    const other = new Client(env.DATABASE_URL);
    await other.connect();
    onTestFinished(() => other.end());
    await other.query("BEGIN");
    await other.query(`UPDATE "User" SET "role" = 'other' WHERE "id" = $1`, [id]);
    const locked = [
      sql.batch([setRole(id, "a")]),
      sql.batchThenRead([setRole(id, "b"), event(id)], roleOf(id)),
      sql.write((tx) => tx.write(rowLock.user(id))),
    ];
    const LOCKED = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    const waiting = async () => (await postgresPool()?.query(LOCKED))?.rowCount;
    await expect.poll(waiting).toBe(3);
    const read = await Promise.all(Array.from({ length: 50 }, () => sql.readQuickly(roleOf(id))));
    expect(read.flat()).toEqual(Array(50).fill({ role: "user" }));
    expect(await waiting()).toBe(3);
    await other.query("COMMIT");
    await Promise.all(locked);
    expect(await events(id)).toBe(1);
  });
});

/** Resolves once `parties` have arrived: the first time only, so that a repeated transaction does not wait for ever. */
function meeting(parties: number): () => Promise<void> {
  let [arrived, open] = [0, () => {}];
  const all = new Promise<void>((resolve) => {
    open = resolve;
  });
  return () => {
    if (++arrived === parties) open();
    return all;
  };
}

describe("transactions in conflict", () => {
  const doors: [string, (ids: string[], role: string, each: () => Promise<void>) => Promise<void>][] = [
    [
      "Prisma's client",
      (ids, role, each) =>
        transaction(async (tx) => {
          for (const id of ids) await tx.user.update({ where: { id }, data: { role } }).then(each);
        }),
    ],
    [
      "sql",
      (ids, role, each) =>
        sql.write(async (tx) => {
          for (const id of ids) await tx.write(setRole(id, role)).then(each);
        }),
    ],
  ];

  test.each(doors)("through %s: the refused one is run again, and both happen", async (_, inOrder) => {
    const [one, other] = [await makeUser(), await makeUser()];
    const meet = meeting(2);
    let steps = 0;
    const each = () => {
      steps++;
      return meet();
    };
    await Promise.all([inOrder([one.id, other.id], "first", each), inOrder([other.id, one.id], "second", each)]);
    // The refused one may come back so soon that it is refused once more.
    expect(steps).toBeGreaterThan(4);
    const roles = await db.user.findMany({ where: { id: { in: [one.id, other.id] } }, select: { role: true } });
    expect(new Set(roles.map(({ role }) => role)).size).toBe(1);
  });

  test("that do not end are given up after ten attempts", async () => {
    let attempts = 0;
    const work = transaction(async (tx) => {
      attempts++;
      await tx.$executeRaw`DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END $$`;
    });
    await expect(work).rejects.toSatisfy(isWriteConflict);
    expect(attempts).toBe(10);
  });
});

test("idle connections keep a function awake until they are closed, which waits for the last use only", async () => {
  // Its pool also counts, when it looks for the server's connections.
  await closeDatabase();
  const CONTEXT = Symbol.for("@vercel/request-context");
  const works: Promise<unknown>[] = [];
  Reflect.set(globalThis, CONTEXT, { get: () => ({ waitUntil: (work: Promise<unknown>) => works.push(work) }) });
  onTestFinished(() => void Reflect.deleteProperty(globalThis, CONTEXT));
  const pool = new Pool({ connectionString: process.env.DATABASE_URL, idleTimeoutMillis: 200 });
  onTestFinished(() => pool.end());
  closeBeforeFreezing(pool, 200);
  for (let count = 0; count < 3; count++) await Promise.all([pool.query("SELECT 1"), pool.query("SELECT 2")]);
  expect(pool.totalCount).toBeGreaterThan(0);
  // The platform freezes when all of these have ended.
  await Promise.all(works);
  expect([works.length, pool.totalCount]).toEqual([6, 0]);
});
