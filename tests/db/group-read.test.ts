import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { sql } from "@/lib/platform/db/client";
import { isUnavailable } from "@/lib/platform/db/errors";
import { sqliteSql } from "@/lib/platform/db/sqlite-sql";
import { integer, rowShape } from "@/lib/platform/db/statement";
import { env } from "@/lib/platform/env";
import { statementsOf } from "@/tests/support/statements";
import { makeUser, makeUsers } from "@/tests/support/user";

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

  test("need no transaction where there is one of them", async () => {
    const { id, username } = await makeUser();
    const sent = await statementsOf(async () => expect(await sql.read(nameOf(id))).toEqual([{ username }]));
    expect(sent).toHaveLength(1);
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
