import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { db, type SqlTransaction, sql, transaction } from "@/lib/platform/db/client";
import { isUnavailable, isUniqueViolation } from "@/lib/platform/db/errors";
import { sqliteSql } from "@/lib/platform/db/sqlite-sql";
import { insert, integer, rowShape, sqlChange } from "@/lib/platform/db/statement";
import { env } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";
import { statementsOf } from "@/tests/support/statements";
import { makeUser, makeUsers, newSession, newUsername } from "@/tests/support/user";

class Regret extends Error {}

const event = (subjectId: string) => ({ at: new Date(), action: "key.create", subjectId, actorId: null, detail: "{}" });

async function inLanes(lanes: number, count: number, work: (index: number) => Promise<void>) {
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < count; index = next++) await work(index);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

const COUNT = 200;

// Prisma's adapter has one connection, on which a statement runs inside whoever's transaction is open: used naively, it
// lost 98 % of the answered writes in this test.
describe("statements beside transactions", () => {
  test("answered creates outlive transactions that await other things and roll back", async () => {
    const [kept, lost] = [newId(), newId()];
    const creates = inLanes(20, COUNT, async () => {
      await db.auditEvent.create({ data: event(kept) });
    });
    const regrets = inLanes(20, COUNT, async (index) => {
      const work = transaction(async (tx) => {
        await tx.auditEvent.create({ data: event(lost) });
        await (index % 2 ? sleep(1) : new Promise(setImmediate));
        await tx.auditEvent.create({ data: event(lost) });
        throw new Regret();
      });
      await expect(work).rejects.toThrow(Regret);
    });
    await Promise.all([creates, regrets]);
    expect(await db.auditEvent.count({ where: { subjectId: kept } })).toBe(COUNT);
    expect(await db.auditEvent.count({ where: { subjectId: lost } })).toBe(0);
  });

  test("what a transaction has not committed is seen by nobody else", async () => {
    const subject = newId();
    // Prisma's promises begin only when somebody awaits them.
    const seen = async () => await db.auditEvent.count({ where: { subjectId: subject } });
    let [inside, outside]: [number, Promise<number> | undefined] = [0, undefined];
    const open = transaction(async (tx) => {
      await tx.auditEvent.create({ data: event(subject) });
      outside = seen();
      inside = await tx.auditEvent.count({ where: { subjectId: subject } });
      await sleep(100);
      throw new Regret();
    });
    await expect(open).rejects.toThrow(Regret);
    expect([inside, await outside]).toEqual([1, 0]);
  });

  test("batches and nested writes hold the turn too", async () => {
    const subject = newId();
    const user = await makeUser();
    const batches = inLanes(10, 50, async () => {
      await db.$transaction([
        db.auditEvent.create({ data: event(subject) }),
        db.auditEvent.create({ data: event(subject) }),
      ]);
    });
    const broken = inLanes(10, 50, async () => {
      const again = newSession(user.id);
      const batch = db.$transaction([db.session.create({ data: again }), db.session.create({ data: again })]);
      await expect(batch).rejects.toMatchObject({ code: "P2002" });
    });
    await Promise.all([batches, broken]);
    expect(await db.auditEvent.count({ where: { subjectId: subject } })).toBe(100);
    expect(await db.session.count({ where: { userId: user.id } })).toBe(0);
  });
});

const retire = (tx: SqlTransaction, name: string) =>
  tx.write(insert("RetiredName", { usernameKey: name, retiredAt: new Date() }));
const areThere = (names: string[]) => db.retiredName.count({ where: { usernameKey: { in: names } } });
/** Of this process, also those that were already removed, as SQLite does with its own at once. */
const openFiles = () =>
  readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      // The folder's own number, which ended with the list.
      return [];
    }
  });
const names = (count: number) => Array.from({ length: count }, newUsername);

describe("transactions that are asked for at once", () => {
  test("share a commit, and each returns the result of its work", async () => {
    const all = names(50);
    let answers: string[] = [];
    const sent = await statementsOf(async () => {
      answers = await Promise.all(all.map((name) => sql.write((tx) => retire(tx, name).then(() => name))));
    });
    expect(answers).toEqual(all);
    expect(sent.filter((text) => text === "COMMIT")).toHaveLength(1);
    expect(await areThere(all)).toBe(50);
  });

  test("are kept in memory for undoing them, however many pages they change, and not in a file", async () => {
    const all = names(500);
    await db.retiredName.createMany({ data: all.map((usernameKey) => ({ usernameKey, retiredAt: new Date() })) });
    await sql.write(async (tx) => {
      for (const name of all) await tx.write(sqlChange`DELETE FROM "RetiredName" WHERE "usernameKey" = ${name}`);
      expect(openFiles().filter((file) => file.includes("etilqs"))).toEqual([]);
    });
  });

  test("fail alone: what the one did is undone, what the others did is not", async () => {
    const all = names(60);
    const outcomes = await Promise.allSettled(
      all.map((name, n) =>
        sql.write(async (tx) => {
          await retire(tx, name);
          await retire(tx, `${name} again`);
          if (n % 3 === 0) throw new Regret();
          if (n % 3 === 1) await retire(tx, name);
        }),
      ),
    );
    for (const [n, outcome] of outcomes.entries()) {
      if (n % 3 === 2) expect(outcome.status).toBe("fulfilled");
      else if (n % 3 === 0) expect(outcome).toMatchObject({ reason: expect.any(Regret) });
      else expect(isUniqueViolation((outcome as PromiseRejectedResult).reason)).toBe(true);
    }
    const kept = all.filter((_, n) => n % 3 === 2);
    expect(await areThere(all)).toBe(kept.length);
    expect(await areThere([...kept, ...kept.map((name) => `${name} again`)])).toBe(2 * kept.length);
  });

  test("all fail where the group cannot be committed, and the next ones do not", async () => {
    const all = names(10);
    const outcomes = await Promise.allSettled(
      all.map((name, n) =>
        sql.write(async (tx) => {
          await retire(tx, name);
          // Checked by SQLite at the commit only: an identity of a user who is not there.
          if (n === 5) {
            await tx.write(sqlChange`PRAGMA defer_foreign_keys = ON`);
            await tx.write(
              insert("Identity", { provider: name, accountId: name, userId: name, createdAt: new Date() }),
            );
          }
        }),
      ),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(all.map(() => "rejected"));
    expect(await areThere(all)).toBe(0);
    await sql.write((tx) => retire(tx, all[0] ?? ""));
    expect(await areThere(all)).toBe(1);
  });
});

const name = rowShape({ u: "User" }, { username: "u.username" });
const nameOf = (id: string) => name.from`"User" u WHERE u."id" = ${id}`;
const overflow = rowShape({}, { sum: integer("abs(-9223372036854775807 - 1)") });
const failing = () => overflow.from`"User" u LIMIT 1`;

describe("reads that are asked for in one turn of the event loop", () => {
  test("share a transaction, and each gets its own rows", async () => {
    const users = await makeUsers(50);
    let rows: { username: string }[][] = [];
    const sent = await statementsOf(async () => {
      rows = await Promise.all(users.map(({ id }) => sql.read(nameOf(id))));
    });
    expect(rows.flat()).toEqual(users.map(({ username }) => ({ username })));
    expect(sent.filter((text) => text === "BEGIN" || text === "COMMIT")).toEqual(["BEGIN", "COMMIT"]);
  });

  test("fail alone", async () => {
    const { id, username } = await makeUser();
    const outcomes = await Promise.allSettled([sql.read(nameOf(id)), sql.read(failing()), sql.read(nameOf(id))]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await sql.read(nameOf(id))).toEqual([{ username }]);
  });

  test("are refused as unavailable if the database is closed before their turn", async () => {
    const engine = sqliteSql(join(env.DATA_DIR, "latchkey.db"), {
      inTurn: (work) => work(),
      refuseWrites: async () => {},
    });
    await engine.read(nameOf("nobody"));
    const read = engine.read(nameOf("nobody"));
    const written = engine.write(async (tx) => tx.read(nameOf("nobody")));
    engine.close();
    const refused = await Promise.all([read, written].map((one) => one.then(() => undefined, isUnavailable)));
    expect(refused).toEqual([true, true]);
  });

  test("and those that follow from their results stay in the turn, in a transaction of their own", async () => {
    const users = await makeUsers(10);
    let turns = 0;
    let isCounting = true;
    const count = () => {
      turns++;
      if (isCounting) setImmediate(count);
    };
    // A turn ends after ten milliseconds, which a busy machine may take for this.
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const sent = await statementsOf(async () => {
      setImmediate(count);
      await Promise.all(
        users.map(async ({ id }) => {
          for (let read = 0; read < 20; read++) await sql.read(nameOf(id));
        }),
      );
    });
    isCounting = false;
    expect(turns).toBeLessThanOrEqual(1);
    expect(sent.filter((text) => text === "BEGIN")).toHaveLength(20);
  });

  test("see what was committed before they were asked for", async () => {
    for (let round = 0; round < 20; round++) {
      const before = Promise.all((await makeUsers(3)).map(({ id }) => sql.read(nameOf(id))));
      const { id, username } = await makeUser();
      expect(await Promise.all([sql.read(nameOf(id)), sql.read(nameOf(id))])).toEqual([[{ username }], [{ username }]]);
      await before;
    }
  });
});
