import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import {
  DriverAdapterError,
  isDriverAdapterError,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQueryable,
  type Transaction,
} from "@prisma/driver-adapter-utils";
import Database from "better-sqlite3";
import { Queue } from "../queue";
import { bytesOf, despiteFullDisk, maxLogPages, moveLogBy, refuseWhileInUse } from "./reserve";
import type { Statement } from "./statement";

/**
 * Setup of every connection that writes. A confirmed write survives a power cut. Deleted or replaced data is
 * overwritten in the file, so that a stolen copy does not contain former secrets. The log is moved into the database
 * once it has 4,000 pages (16 MB), fewer on a small disk: a page that was written several times by then is moved once.
 */
export const atConnect = (file: string) =>
  "PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA trusted_schema=OFF; PRAGMA secure_delete=ON; " +
  `PRAGMA wal_autocheckpoint=${maxLogPages(dirname(file))};`;

const REFUSE_WRITES = "PRAGMA query_only=ON;";

/** How long a statement waits for its turn, or for another process's lock, before the service answers 503. */
const PATIENCE_MS = 5_000;

/**
 * SQLite through Prisma's adapter, with two things that it lacks:
 *
 * - One queue. The adapter has one connection, and only the start of a transaction takes its lock. Any other statement
 *   would run inside the open transaction and be lost with it. Here every statement waits for its turn, and a
 *   transaction holds the turn until it ends.
 * - Waiting for another process without blocking. better-sqlite3 waits inside a synchronous call, so its own timeout
 *   is 0. The waiting is done here, between attempts and with the turn released, so that reads continue. Transactions
 *   begin IMMEDIATE: they take the lock at the start or not at all.
 */
export function sqlite(file: string): SqlMigrationAwareDriverAdapterFactory & SqliteAccess {
  const queue = new Queue({ ofAll: { count: 1 } }, { refusal: busy });
  /** Waits for the turn. Returns what ends it. */
  async function turn(): Promise<() => void> {
    const statement = { names: ["statement"] };
    if (queue.places.full(statement)) await queue.wait(statement, undefined, PATIENCE_MS);
    else queue.places.enter(statement);
    return () => {
      queue.places.leave(statement);
      queue.startNext();
    };
  }
  const inTurn: InTurn = (work) =>
    whileBusy(async () => {
      const done = await turn();
      try {
        return await work();
      } finally {
        done();
      }
    });
  const factory = new PrismaBetterSqlite3({ url: `file:${file}`, timeout: 0 }, { timestampFormat: "unixepoch-ms" });
  const connected: SqlDriverAdapter[] = [];
  let setup = `PRAGMA journal_mode=WAL; ${atConnect(file)}`;
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => {
      const adapter = await factory.connect();
      await whileBusy(() => adapter.executeScript(setup));
      connected.push(adapter);
      moveLogBy((bytes, how) => inTurn(() => moveLog(adapter, file, { bytes, how })));
      return queued(adapter, turn, inTurn);
    },
    connectToShadowDb: () => factory.connectToShadowDb(),
    inTurn,
    async refuseWrites() {
      setup += REFUSE_WRITES;
      for (const adapter of connected) await adapter.executeScript(REFUSE_WRITES);
    },
  };
}

/** What other connections of this process share with Prisma's. */
export interface SqliteAccess {
  inTurn: InTurn;
  /** From now on, SQLite refuses what Prisma's connection would write, also within an open transaction. */
  refuseWrites(): Promise<void>;
}

/** Runs `work` while no other statement of this process runs; retries if another process held the lock. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

function queued(adapter: SqlDriverAdapter, turn: () => Promise<() => void>, inTurn: InTurn): SqlDriverAdapter {
  return {
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    queryRaw: (query) => inTurn(() => adapter.queryRaw(query)),
    executeRaw: async (query) => {
      refuseWhileInUse();
      const run = () => inTurn(() => adapter.executeRaw(query));
      return run().catch((error) => despiteFullDisk(error, run));
    },
    executeScript: (script) => inTurn(() => adapter.executeScript(script)),
    startTransaction: () =>
      whileBusy(async () => {
        const done = await turn();
        try {
          await adapter.executeScript("BEGIN IMMEDIATE");
        } catch (error) {
          done();
          throw error;
        }
        return openTransaction(adapter, done);
      }),
    dispose: () => adapter.dispose(),
  };
}

/** See `moveLogBy`. */
async function moveLog(
  adapter: SqlDriverAdapter,
  file: string,
  { bytes, how }: { bytes: number; how: string },
): Promise<number | undefined> {
  const sql =
    "SELECT page_count, freelist_count, page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size";
  const { rows } = await adapter.queryRaw({ sql, args: [], argTypes: [] });
  const [pages = 0, freed = 0, size = 0] = (rows[0] ?? []).map(Number);
  if (pages * size - (await bytesOf(file)) > bytes) return undefined;
  await adapter.executeScript(`PRAGMA wal_checkpoint(${how})`);
  return freed * size;
}

/**
 * The statements of the transaction that holds the turn. Prisma sends COMMIT and ROLLBACK as statements, then calls
 * commit() or rollback().
 */
function openTransaction(adapter: SqlQueryable, done: () => void): Transaction {
  const end = async () => done();
  const statement = (sql: string) => adapter.executeRaw({ sql, args: [], argTypes: [] }).then(() => {});
  return {
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    options: { usePhantomQuery: false },
    queryRaw: (query) => adapter.queryRaw(query),
    executeRaw: (query) => adapter.executeRaw(query),
    commit: end,
    rollback: end,
    createSavepoint: (name) => statement(`SAVEPOINT ${name}`),
    rollbackToSavepoint: (name) => statement(`ROLLBACK TO ${name}`),
    releaseSavepoint: (name) => statement(`RELEASE SAVEPOINT ${name}`),
  };
}

/** A busy statement had no effect, so it can be retried; any other error is thrown to the caller. */
export async function whileBusy<T>(work: () => Promise<T>, patienceMs = PATIENCE_MS): Promise<T> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      await sleep(5 + Math.random() * 15);
    }
  }
}

/** Whether another process holds the lock, according to Prisma's adapter or better-sqlite3. */
function isBusy(error: unknown): boolean {
  const code = isDriverAdapterError(error) ? error.cause.originalCode : (error as { code?: unknown } | null)?.code;
  return typeof code === "string" && code.startsWith("SQLITE_BUSY");
}

const busy = () => new DriverAdapterError({ kind: "SocketTimeout" });

type Row = Record<string, unknown>;

interface Column {
  name: string;
  convert: ((stored: unknown) => unknown) | undefined;
}

interface Prepared {
  statement: Database.Statement<unknown[], unknown[]>;
  columns: Column[];
  /** A row of nulls: filling a copy of it takes half the time that better-sqlite3 needs to create an object. */
  emptyRow: Row;
}

/** For dynamically built statements: one for n ids differs from one for n + 1. */
const MAX_PREPARED = 100;

/** How SQLite's columns differ from Prisma's models, by their declared type. */
const CONVERTED: Record<string, Column["convert"]> = {
  DATETIME: (stored) => new Date(Number(stored)),
  BOOLEAN: Boolean,
};

/** A connection that opens on first use and prepares every fixed statement once. */
export class SqliteConnection {
  private database: Database.Database | undefined;
  private isClosed = false;
  private readonly fixed = new Map<string, Prepared>();
  private readonly others = new Map<string, Prepared>();

  constructor(
    private readonly file: string,
    private readonly textOf: (statement: Statement) => string,
    private readonly options: { readonly?: true; setup?: string } = {},
  ) {}

  rows(query: Statement): Row[] {
    const { statement, columns, emptyRow } = this.prepare(this.textOf(query), query.isFixed);
    return statement.all(query.values.map(asStored)).map((stored) => {
      const row = { ...emptyRow };
      for (let index = 0; index < columns.length; index++) {
        const value = stored[index];
        const column = columns[index];
        if (value !== null && column) row[column.name] = column.convert ? column.convert(value) : value;
      }
      return row;
    });
  }

  /** Returns the number of rows written. */
  run(change: Statement): number {
    return this.prepare(this.textOf(change), change.isFixed).statement.run(change.values.map(asStored)).changes;
  }

  /** Runs a statement without values, like BEGIN. */
  execute(text: string): void {
    this.prepare(text, true).statement.run();
  }

  isInTransaction(): boolean {
    return this.database?.inTransaction ?? false;
  }

  /** What waits for its turn then is refused as if the database were away: the process ends. */
  close(): void {
    this.isClosed = true;
    this.database?.close();
  }

  private prepare(text: string, isFixed: boolean): Prepared {
    if (this.isClosed) throw Object.assign(new Error("The database has been closed."), { code: "P1017" });
    const cache = isFixed ? this.fixed : this.others;
    const cached = cache.get(text);
    if (cached && isFixed) return cached;
    const prepared = cached ?? this.preparedNow(text);
    // Keeps the most recently used last.
    cache.delete(text);
    cache.set(text, prepared);
    const [oldest] = this.others.keys();
    if (this.others.size > MAX_PREPARED && oldest !== undefined) this.others.delete(oldest);
    return prepared;
  }

  private preparedNow(text: string): Prepared {
    this.database ??= this.open();
    const statement = this.database.prepare<unknown[], unknown[]>(text);
    const columns = statement.reader
      ? statement
          .raw()
          .columns()
          .map(({ name, type }) => ({ name, convert: CONVERTED[type ?? ""] }))
      : [];
    return { statement, columns, emptyRow: Object.fromEntries(columns.map(({ name }) => [name, null])) };
  }

  private open(): Database.Database {
    // Only a connection that writes creates a missing file.
    if (this.options.readonly) new Database(this.file).close();
    const database = new Database(this.file, { readonly: this.options.readonly ?? false, timeout: 0 });
    database.exec(this.options.setup ?? atConnect(this.file));
    return database;
  }
}

/** Times are stored as milliseconds, as Prisma's adapter is configured. */
function asStored(value: unknown): unknown {
  if (value instanceof Date) return value.getTime();
  return typeof value === "boolean" ? Number(value) : value;
}
