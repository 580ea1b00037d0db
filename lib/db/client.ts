import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PrismaPg } from "@prisma/adapter-pg";
import type { Pool } from "pg";
import { DATABASE_FILE, makeDataFolder } from "@/lib/data-folder";
import { env } from "@/lib/env";
import { countStatement, isMeasuring, timedStatement } from "@/lib/metrics";
import { PrismaClient as PostgresClient } from "@/prisma/generated/postgresql/client";
import { type Prisma, PrismaClient } from "@/prisma/generated/sqlite/client";
import { type BytesStatements, postgresBytes, sqliteBytes } from "./bytes";
import { isWriteConflict } from "./errors";
import { openPool } from "./postgres";
import { postgresSql } from "./postgres-sql";
import type { DirectSql, SqlStatements, Writes } from "./sql";
import { sqlite } from "./sqlite";
import { sqliteSql } from "./sqlite-sql";

export { Prisma } from "@/prisma/generated/sqlite/client";
export type { SqlStatements, Writes } from "./sql";

/** What runs statements: the client, or an open transaction. */
export type Statements = Prisma.TransactionClient;

/** One per process, not per copy of this module: Next's bundle and the server's are two. */
const perProcess = globalThis as typeof globalThis & { latchkeyDatabase?: Opened };

interface Opened {
  client: PrismaClient;
  sql: DirectSql;
  bytes: BytesStatements;
  pool?: Pool;
}

function connect(): Opened {
  const options = { transactionOptions: { maxWait: 15_000, timeout: 60_000 } };
  const log: Prisma.LogDefinition[] = isMeasuring() ? [{ emit: "event", level: "query" }] : [];
  if (!env.DATABASE_URL) {
    const file = sqliteFile();
    const adapter = sqlite(file);
    return { client: measured(new PrismaClient({ adapter, ...options, log })), sql: sqliteSql(file, adapter.inTurn), bytes: sqliteBytes(file, adapter.inTurn) };
  }

  const pool = openPool(env.DATABASE_URL);
  // The SQLite client's types are the narrower ones, so the compiler refuses what only PostgreSQL can do.
  const client = new PostgresClient({ adapter: new PrismaPg(pool), ...options, log }) as unknown as PrismaClient;
  return { client: measured(client), sql: postgresSql(pool), bytes: postgresBytes(pool), pool };
}

function measured(client: PrismaClient): PrismaClient {
  if (isMeasuring()) (client as PrismaClient<"query">).$on("query", ({ duration }) => countStatement(duration));
  return client;
}

function open() {
  perProcess.latchkeyDatabase ??= connect();
  return perProcess.latchkeyDatabase;
}

/** The embedded database's file. Makes the data folder, and closes what is in it to others. */
export function sqliteFile(): string {
  makeDataFolder();
  return join(env.DATA_DIR, DATABASE_FILE);
}

/** The database client, opened at its first use, so that importing this file needs no database. */
export const db: PrismaClient = new Proxy({} as PrismaClient, {
  get: (_, property) => Reflect.get(open().client, property),
});

/**
 * Statements that go past the client, for what every request does: the client takes many times as long for a look-up as the database
 * does. Outside of a transaction `$queryRaw` only reads.
 */
export const sql: SqlStatements = {
  $queryRaw: (query, ...values) => timedStatement(() => open().sql.$queryRaw(query, ...values)),
  $executeRaw: (query, ...values) => timedStatement(() => open().sql.$executeRaw(query, ...values)),
};

/**
 * The same for look-ups that are asked again and again. On SQLite they are answered from memory where nothing at all was committed
 * since they were answered before, by this process or another: asking that takes a fraction of the look-up. Not for what must take as long
 * for everybody, known or not.
 */
export const lookUps: Pick<SqlStatements, "$queryRaw"> = {
  $queryRaw: (query, ...values) => timedStatement(() => open().sql.lookUp(query, ...values)),
};

/** The connection pool that the client uses on PostgreSQL; undefined on SQLite. */
export function postgresPool(): Pool | undefined {
  return open().pool;
}

/** Whether the database answers within three seconds. */
export async function isAnswering(): Promise<boolean> {
  const answer = db.$queryRaw`SELECT 1`.then(
    () => true,
    () => false,
  );
  return Promise.race([answer, sleep(3_000, false, { ref: false })]);
}

/** Runs one statement whose values or columns are text and bytes, and answers its rows as arrays. */
export function bytesStatement(statement: Prisma.Sql): Promise<unknown[][]> {
  return timedStatement(() => open().bytes.run(statement));
}

/** Closes the database. The next use opens it again. */
export async function closeDatabase(): Promise<void> {
  const opened = perProcess.latchkeyDatabase;
  if (!opened) return;
  delete perProcess.latchkeyDatabase;
  opened.sql.close();
  opened.bytes.close();
  await opened.client.$disconnect();
  if (opened.pool && !opened.pool.ended) await opened.pool.end();
}

/**
 * Runs `work` in one transaction: all of it happens or nothing. On SQLite it holds the whole database, so await
 * nothing but `tx` inside. PostgreSQL may refuse one of two that collide (deadlock): that one is run again, so
 * `work` must do nothing that cannot be repeated.
 */
export function transaction<T>(work: (tx: Statements) => Promise<T>): Promise<T> {
  return withoutConflict(() => db.$transaction(work));
}

/** The same with statements that go past the client. */
export function sqlTransaction<T>(work: (tx: SqlStatements) => Promise<T>): Promise<T> {
  return withoutConflict(() => open().sql.transaction(work));
}

/**
 * Does all writes that `write` asks for, or none. On PostgreSQL they become one statement when all were asked for: none may depend on
 * what another one wrote, and none may have a part of a statement (`Prisma.sql`) among its values.
 */
export function writeTogether(write: (tx: Writes) => Promise<void>): Promise<void> {
  return withoutConflict(() => open().sql.together(write));
}

/**
 * Does one change (with RETURNING) and, where it touched a row, the writes that go with it, in one transaction; answers the row. On
 * PostgreSQL they become one statement when all were asked for: the writes may not depend on the row, must end where a FROM may
 * follow, and none may have a part of a statement (`Prisma.sql`) among its values.
 */
export function writeWith<Row>(change: (tx: Pick<SqlStatements, "$queryRaw">) => Promise<Row[]>, also: (tx: Writes) => Promise<void>): Promise<Row[]> {
  return withoutConflict(() => open().sql.with(change, also));
}

async function withoutConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 10 || !isWriteConflict(error)) throw error;
    }
  }
}
