import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { SqliteConnection, sqlite } from "@/lib/platform/db/sqlite";
import { env } from "@/lib/platform/env";

const file = join(env.DATA_DIR, "latchkey.db");

/** Connections with statements, open ones too, of each kind that we have. Only these references to them are left. */
async function dropped(): Promise<WeakRef<object>[]> {
  const database = new Database(file);
  const statement = database.prepare("SELECT 1");
  const rows = database.prepare("SELECT 1 UNION SELECT 2").iterate();
  rows.next();
  const closed = new Database(file);
  closed.prepare("SELECT 1").get();
  closed.close();
  const connection = new SqliteConnection(file, () => "");
  for (const text of ["BEGIN", "COMMIT"]) connection.execute(text);
  const prisma = await sqlite(file).connect();
  const query = { sql: "SELECT 1", args: [], argTypes: [] };
  for (let count = 0; count < 100; count++) await prisma.queryRaw(query);
  return [database, statement, rows, closed, connection, prisma].map((one) => new WeakRef(one));
}

test("the process lives on when V8 collects databases and statements", async () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const references: WeakRef<object>[] = [];
  for (let count = 0; count < 10; count++) references.push(...(await dropped()));
  const left = () => {
    collect();
    return references.filter((reference) => reference.deref() !== undefined).length;
  };
  await expect.poll(left).toBe(0);
});
