import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import type { Pool } from "pg";
import { type Prisma, PrismaClient } from "@/prisma/generated/sqlite/client";
import { DATABASE_FILE, makeDataFolder } from "../data-folder";
import { env } from "../env";
import { countStatement, isMeasuring, timedStatement } from "../metrics";
import { perProcess } from "../process";
import { isWriteConflict } from "./errors";
import { despiteFullDisk, evenOnFullDisk, makeSpaceToOpen, refuseWhileInUse } from "./reserve";
import type { Sql, SqlEngine } from "./sql";
import { sqlite } from "./sqlite";
import { sqliteSql } from "./sqlite-sql";
import type { SqlChange, SqlQuery } from "./statement";

export { Prisma } from "@/prisma/generated/sqlite/client";
export type { SqlTransaction } from "./sql";

/** Runs statements: the client or an open transaction. */
export type Statements = Prisma.TransactionClient;

/** Loaded only where it is used: it takes a tenth of a start. */
const postgres = env.DATABASE_URL ? await import("./postgres") : undefined;

const connection = perProcess("database", (): { opened?: Opened; lost: number } => ({ lost: 0 }));

interface Opened {
  client: PrismaClient;
  sql: SqlEngine;
  pool?: Pool;
}

/**
 * V8 compiles parts of Prisma's WebAssembly again as soon as they have run a little, several at once. That was a third
 * of the work of a start or a command, and 40 to 70 MB, which malloc keeps.
 */
function compileSeldom(): void {
  setFlagsFromString("--wasm-num-compilation-tasks=1");
  setFlagsFromString("--wasm-tiering-budget=100000000");
}

function connect(): Opened {
  compileSeldom();
  const options = { transactionOptions: { maxWait: 15_000, timeout: 60_000 } };
  const log: Prisma.LogDefinition[] = isMeasuring() ? [{ emit: "event", level: "query" }] : [];
  if (!postgres) {
    const file = sqliteFile();
    makeSpaceToOpen(file);
    const adapter = sqlite(file);
    return {
      client: measured(new PrismaClient({ adapter, ...options, log })),
      sql: sqliteSql(file, adapter),
    };
  }

  const pool = postgres.openPool();
  pool.on("connect", (client) =>
    client.on("error", () => {
      connection.lost++;
    }),
  );
  return { client: measured(postgres.prismaClient(pool, { ...options, log })), sql: postgres.postgresSql(pool), pool };
}

function measured(client: PrismaClient): PrismaClient {
  if (isMeasuring()) (client as PrismaClient<"query">).$on("query", ({ duration }) => countStatement(duration));
  return client;
}

function open() {
  connection.opened ??= connect();
  return connection.opened;
}

/** The file of the embedded database. Creates the data folder and makes its contents private. */
export function sqliteFile(): string {
  makeDataFolder();
  return join(env.DATA_DIR, DATABASE_FILE);
}

/** The database client. It connects on first use, so importing this file needs no database. */
export const db: PrismaClient = new Proxy({} as PrismaClient, {
  get: (_, property) => Reflect.get(open().client, property),
});

/**
 * The second door, which bypasses the client: Prisma takes many times as long for a statement as the database does. For
 * statements that every request runs, and for those that Prisma cannot express. They are in each area's `queries.ts`.
 */
export const sql: Sql = {
  read: <Row>(query: SqlQuery<Row>) => timedStatement(() => open().sql.read(query)) as Promise<Row[]>,
  readQuickly: <Row>(query: SqlQuery<Row>) => timedStatement(() => open().sql.readQuickly(query)) as Promise<Row[]>,
  write: (work) => withoutConflict(() => open().sql.write(work)),
  batch: (changes: readonly SqlChange<unknown>[]) =>
    timedStatement(() => withoutConflict(() => open().sql.batch(changes))) as Promise<never[]>,
  batchThenRead: (changes, query) =>
    timedStatement(() => withoutConflict(() => open().sql.batchThenRead(changes, query))) as Promise<never>,
};

/** The connection pool of the PostgreSQL client; undefined on SQLite. */
export function postgresPool(): Pool | undefined {
  return open().pool;
}

/**
 * How many connections the database has ended or the network has lost. After one, the database may be another, which
 * lacks what was written last: a standby that became the primary, or a former state that was restored.
 */
export const lostConnections = (): number => connection.lost;

/**
 * Throws the database's error if it refuses a new connection or, with `toWrite`, would refuse every write. Does nothing
 * on SQLite.
 */
export async function tryConnecting(toWrite?: "to write"): Promise<void> {
  await postgres?.tryPostgres(toWrite);
}

/** Whether the database accepts writes: a standby does not, nor does SQLite once its disk has failed. */
export const acceptsWrites = (): Promise<boolean> => open().sql.acceptsWrites();

/** Whether the database responds within three seconds. */
export async function isResponding(): Promise<boolean> {
  const response = db.$queryRaw`SELECT 1`.then(
    () => true,
    () => false,
  );
  return Promise.race([response, sleep(3_000, false, { ref: false })]);
}

/** Closes the database. The next use reopens it. */
export async function closeDatabase(): Promise<void> {
  const { opened } = connection;
  if (!opened) return;
  delete connection.opened;
  opened.sql.close();
  await opened.client.$disconnect();
  if (opened.pool && !opened.pool.ended) await opened.pool.end();
}

/**
 * Runs `work` in one transaction, all or nothing. On SQLite it locks the whole database, so await nothing but `tx`
 * inside. PostgreSQL may refuse one of two conflicting transactions (deadlock); it is then retried, so `work` must be
 * safe to repeat. `room`: as `evenOnFullDisk`.
 */
export function transaction<T>(work: (tx: Statements) => Promise<T>, room?: "even on a full disk"): Promise<T> {
  const run = () => withoutConflict(() => db.$transaction(work));
  return room ? evenOnFullDisk(run) : run();
}

async function withoutConflict<T>(work: () => Promise<T>): Promise<T> {
  refuseWhileInUse();
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 10 || !isWriteConflict(error)) return despiteFullDisk(error, work);
    }
  }
}
