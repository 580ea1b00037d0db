import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sweepAll } from "@/lib/account/sweep";
import { db, Prisma } from "@/lib/db/client";
import { textMaker } from "@/lib/db/sql";
import { SqliteConnection } from "@/lib/db/sqlite-connection";
import { RowShape, SqlQuery } from "@/lib/db/statement";
import { env } from "@/lib/env";
import { createKey } from "@/lib/keys/create";
import { deleteKey } from "@/lib/keys/delete";
import { findKey } from "@/lib/keys/find";
import { updateKey } from "@/lib/keys/update";
import { makeUser } from "@/tests/support/user";

const file = join(env.DATA_DIR, "latchkey.db");
const log = `${file}-wal`;

/** How often a text stands in the database's file and in its log of changes. */
function copiesOf(mark: string): number {
  const bytes = [file, log].filter(existsSync).map((path) => readFileSync(path).toString("latin1"));
  return bytes.reduce((sum, text) => sum + text.split(mark).length - 1, 0);
}

const marked = () => `mark-${randomBytes(12).toString("hex")}`;

test("every connection that writes overwrites what it deletes", async () => {
  const pragma = "PRAGMA secure_delete";
  const [client] = await db.$queryRaw<{ secure_delete: bigint }[]>(Prisma.raw(pragma));
  const direct = new SqliteConnection(
    file,
    {},
    textMaker(() => "?"),
  );
  const [own] = direct.rows(new SqlQuery([pragma], [], true, new RowShape({}, {})));
  expect([client?.secure_delete, own]).toEqual([1n, { secure_delete: 1 }]);
  direct.close();
});

test("of data that was replaced or deleted no copy is left in the database's files", async () => {
  const owner = { ...(await makeUser()), role: "user" };
  const first = marked();
  const second = marked();
  const short = marked();
  const kept = marked();
  // Larger than a page, so that it lies in pages of its own, which are freed.
  const large = await createKey(owner, { data: `${first}${"x".repeat(20_000)}`, price: "1" });
  const small = await createKey(owner, { data: short, price: "1", name: marked() });
  await createKey(owner, { data: kept, price: "1" });
  await updateKey(owner, await findKey(owner, large.id), { field: "data", value: `${second}${"y".repeat(20_000)}` });
  await updateKey(owner, await findKey(owner, small.id), { field: "data", value: "short" });
  await deleteKey(owner, await findKey(owner, large.id));
  await sweepAll();
  expect([first, second, short].map(copiesOf)).toEqual([0, 0, 0]);
  expect(statSync(log).size).toBe(0);
  expect(copiesOf(kept)).toBe(1);
});
