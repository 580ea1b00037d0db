import Database from "better-sqlite3";
import { mintToken } from "@/lib/platform/crypto/tokens";
import { postgresPool, sqliteFile } from "@/lib/platform/db/client";
import * as rowsOf from "./rows";
import { eventRows, idIn, nameIn, type Rows, type Size } from "./rows";

/** Rows per transaction. */
const AT_ONCE = 100_000;
const USERS_AT_ONCE = 5_000;
const YEAR_MS = 365 * 86_400_000;

export type SeedRow = Record<string, string | number | Date | Buffer | null>;

/** The database that is filled. */
export interface Seed {
  run(statement: string): Promise<void>;
  add(table: string, rows: SeedRow[]): Promise<void>;
  finish(): Promise<void>;
  close(): void;
}

export function openSeed(): Seed {
  const pool = postgresPool();
  if (pool)
    return {
      run: async (statement) => void (await pool.query(statement)),
      add: async (table, rows) =>
        void (await pool.query(`INSERT INTO "${table}" SELECT * FROM json_populate_recordset(NULL::"${table}", $1)`, [
          JSON.stringify(rows.map(inHex)),
        ])),
      finish: async () => void (await pool.query("ANALYZE")),
      close: () => {},
    };
  const database = new Database(sqliteFile());
  database.pragma("synchronous = OFF");
  database.pragma("cache_size = -500000");
  const addAll = database.transaction((table: string, rows: SeedRow[]) => {
    const columns = Object.keys(rows[0] ?? {});
    const statement = database.prepare(
      `INSERT INTO "${table}" (${columns.map((name) => `"${name}"`)}) VALUES (${columns.map(() => "?")})`,
    );
    for (const row of rows)
      statement.run(columns.map((name) => (row[name] instanceof Date ? row[name].getTime() : row[name])));
  });
  return {
    run: async (statement) => void database.exec(statement),
    add: async (table, rows) => addAll(table, rows),
    finish: async () => void database.pragma("wal_checkpoint(TRUNCATE)"),
    close: () => void database.close(),
  };
}

function inHex(row: SeedRow): SeedRow {
  const hex = (value: SeedRow[string]) => (Buffer.isBuffer(value) ? `\\x${value.toString("hex")}` : value);
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, hex(value)]));
}

/**
 * Fills an empty, migrated database. Users are named user-0000000 and so on; the first is an administrator. Every tenth
 * key belongs to one of the first hundred users, every other one has a second holder, and events are in the order of
 * their times, the last of them now.
 */
export async function seedAll(seed: Seed, { users, keys, events }: Size, now = Date.now()): Promise<void> {
  const begin = now - YEAR_MS;
  for (let from = 0; from < users; from += USERS_AT_ONCE) {
    const batch = Array.from({ length: Math.min(USERS_AT_ONCE, users - from) }, (_, n) =>
      userRow(from + n, new Date(begin + ((from + n) * YEAR_MS) / users)),
    );
    await seed.add("User", batch);
  }
  const size = { users, keys, events, begin, span: YEAR_MS };
  const inParts = async (count: number, rows: Rows) => {
    for (let from = 0; from < count; from += AT_ONCE)
      await seed.run(rows(size, from, Math.min(count, from + AT_ONCE) - 1));
  };
  await inParts(Math.floor(users / 10), rowsOf.sessionRows);
  await inParts(Math.floor(users / 100), rowsOf.linkRows);
  await inParts(Math.floor(users / 100), rowsOf.maskRows);
  await inParts(Math.floor(users / 5), rowsOf.collectedRows);
  await inParts(Math.floor(users / 5), rowsOf.accessTokenRows);
  for (const rows of rowsOf.documentRows(size)) await inParts(Math.floor(users / 10), rows);
  await inParts(keys, rowsOf.keyRows);
  await inParts(keys, rowsOf.holderRows);
  await inParts(keys, rowsOf.secondHolderRows);
  await inParts(events, eventRows);
  await seed.finish();
}

function userRow(n: number, at: Date) {
  const id = idIn("user", n);
  const name = nameIn(n);
  return {
    id,
    username: name,
    usernameKey: name,
    role: n === 0 ? "admin" : "user",
    disabledAt: n % 200 === 199 ? at : null,
    passwordHash: null,
    ...mintToken(id).stored,
    tokenAt: at,
    createdAt: at,
  };
}
