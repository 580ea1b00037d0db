import { readdirSync, readlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { db, type SqlTransaction, sql } from "@/lib/platform/db/client";
import { isUniqueViolation } from "@/lib/platform/db/errors";
import { insert, sqlChange } from "@/lib/platform/db/statement";
import { statementsOf } from "@/tests/support/statements";
import { newUsername } from "@/tests/support/user";

class Regret extends Error {}

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
