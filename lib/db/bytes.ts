import Database from "better-sqlite3";
import type { Pool } from "pg";
import type { Prisma } from "@/prisma/generated/sqlite/client";
import { AT_CONNECT, type InTurn, whileBusy } from "./sqlite";

/**
 * Statements whose values or columns are text and bytes. They go past the client, which turns all bytes into base64
 * inside JSON and back, and whose SQLite adapter keeps what was bound until the next garbage collection: measured
 * together as 200 MB of memory and half of the speed while a document of 100 MB is stored.
 */
export interface BytesStatements {
  /** Runs one statement by itself and answers its rows as arrays. */
  run(statement: Prisma.Sql): Promise<unknown[][]>;
  close(): void;
}

const CACHED_KB = 2_000;
const MOST_PREPARED = 100;

/** On a second connection to `file`, which only writes in turn with the first: what reads is answered at once, from what was committed last. */
export function sqliteBytes(file: string, inTurn: InTurn): BytesStatements {
  let database: Database.Database | undefined;
  const prepared = new Map<string, Database.Statement<unknown[], unknown[]>>();

  const open = () => {
    const opened = new Database(file, { timeout: 0 });
    opened.exec(`${AT_CONNECT} PRAGMA cache_size=-${CACHED_KB};`);
    return opened;
  };
  const prepare = (sql: string) => {
    database ??= open();
    const statement = prepared.get(sql) ?? database.prepare<unknown[], unknown[]>(sql);
    // Those that were used last are kept: one that asks for n ids is another than one for n + 1.
    prepared.delete(sql);
    prepared.set(sql, statement);
    const [oldest] = prepared.keys();
    if (prepared.size > MOST_PREPARED && oldest !== undefined) prepared.delete(oldest);
    return statement;
  };
  return {
    async run({ sql, values }) {
      const statement = await whileBusy(async () => prepare(sql));
      if (statement.readonly) return whileBusy(async () => statement.raw().all(values));
      return inTurn(async () => {
        if (statement.reader) return statement.raw().all(values);
        statement.run(values);
        return [];
      });
    },
    close: () => database?.close(),
  };
}

export function postgresBytes(pool: Pool): BytesStatements {
  return {
    run: async ({ text, values }) => (await pool.query<unknown[]>({ text, values, rowMode: "array" })).rows,
    close: () => {},
  };
}
