import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sweepAll } from "@/lib/account/sweep";
import { writeSeen } from "@/lib/auth/seen";
import { db, Prisma } from "@/lib/db/client";
import { textMaker } from "@/lib/db/sql";
import { SqliteConnection } from "@/lib/db/sqlite-connection";
import { RowShape, SqlQuery } from "@/lib/db/statement";
import { env } from "@/lib/env";
import { createKey } from "@/lib/keys/create";
import { deleteKey } from "@/lib/keys/delete";
import { findKey } from "@/lib/keys/find";
import { revealData } from "@/lib/keys/reveal";
import { updateKey } from "@/lib/keys/update";
import { addRefusals } from "@/lib/refusals";
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

test("of clear data that was replaced, deleted or sealed, no copy is left in the database's files", async () => {
  const owner = { ...(await makeUser()), role: "user" };
  const first = marked();
  const second = marked();
  const short = marked();
  const kept = marked();
  // As a version before sealing stored it. Larger than a page, so that it lies in pages of its own, which are freed.
  const inTheClear = async (data: string) => {
    const { id } = await createKey(owner, { data: "sealed", price: "1", name: marked() });
    await db.key.update({ where: { id }, data: { data, dataBytes: Buffer.byteLength(data), sealedWith: null } });
    return id;
  };
  const replaced = await inTheClear(`${first}${"x".repeat(20_000)}`);
  const deleted = await inTheClear(`${second}${"y".repeat(20_000)}`);
  const small = await inTheClear(short);
  const large = await inTheClear(`${kept}${"z".repeat(20_000)}`);
  expect([first, second, short, kept].map(copiesOf).every((copies) => copies > 0)).toBe(true);
  await updateKey(owner, await findKey(owner, replaced), { field: "data", value: "y".repeat(20_000) });
  await updateKey(owner, await findKey(owner, small), { field: "data", value: "short" });
  await deleteKey(owner, await findKey(owner, deleted));
  // What earlier tests left to be written in the background would be in the log, too.
  await Promise.all([writeSeen(), addRefusals()]);
  await sweepAll();
  expect([first, second, short, kept].map(copiesOf)).toEqual([0, 0, 0, 0]);
  expect(statSync(log).size).toBe(0);
  expect(await revealData(owner, large)).toBe(`${kept}${"z".repeat(20_000)}`);
});
