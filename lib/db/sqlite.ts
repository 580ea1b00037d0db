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
import { Mutex, type MutexInterface, withTimeout } from "async-mutex";

/**
 * What every connection that writes begins with. An answered write survives a power cut; what is deleted or replaced is overwritten in
 * the file, so that a stolen copy does not hold the secrets of yesterday.
 */
export const AT_CONNECT = "PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA trusted_schema=OFF; PRAGMA secure_delete=ON;";

/** How long a statement waits for its turn, or for another process's lock, before the service answers 503. */
const PATIENCE_MS = 5_000;

/**
 * SQLite through Prisma's own adapter, with the two things that it lacks:
 *
 * - One queue. The adapter has one connection and only the start of a transaction takes its lock, so any other
 *   statement would run inside whoever's transaction is open, and be lost with it. Here every statement waits for
 *   its turn, and a transaction holds the turn to its end.
 * - Waiting for another process without standing still. better-sqlite3 waits inside a synchronous call, so its own
 *   timeout is 0 and the waiting is done here, between attempts and with the turn given back, so that reads go on.
 *   Transactions begin IMMEDIATE: the lock is either had at the start or not at all.
 */
export function sqlite(file: string): SqlMigrationAwareDriverAdapterFactory & { inTurn: InTurn } {
  const turn = withTimeout(new Mutex(), PATIENCE_MS, busy());
  const inTurn: InTurn = (work) =>
    whileBusy(async () => {
      const done = await turn.acquire();
      try {
        return await work();
      } finally {
        done();
      }
    });
  const factory = new PrismaBetterSqlite3({ url: `file:${file}`, timeout: 0 }, { timestampFormat: "unixepoch-ms" });
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => {
      const adapter = await factory.connect();
      await whileBusy(() => adapter.executeScript(`PRAGMA journal_mode=WAL; ${AT_CONNECT}`));
      return queued(adapter, turn, inTurn);
    },
    connectToShadowDb: () => factory.connectToShadowDb(),
    inTurn,
  };
}

/** Runs `work` while no other statement of this process runs, and again where another process held the lock. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

function queued(adapter: SqlDriverAdapter, turn: MutexInterface, inTurn: InTurn): SqlDriverAdapter {
  return {
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    queryRaw: (query) => inTurn(() => adapter.queryRaw(query)),
    executeRaw: (query) => inTurn(() => adapter.executeRaw(query)),
    executeScript: (script) => inTurn(() => adapter.executeScript(script)),
    startTransaction: () =>
      whileBusy(async () => {
        const done = await turn.acquire();
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

/** The statements of the one that holds the turn. Prisma sends COMMIT and ROLLBACK as statements, then calls commit() or rollback(). */
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

/** A busy statement had no effect, so it can be repeated; anything else is the caller's to know. */
export async function whileBusy<T>(work: () => Promise<T>): Promise<T> {
  const giveUp = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || Date.now() > giveUp) throw error;
      await sleep(5 + Math.random() * 15);
    }
  }
}

/** What Prisma's adapter throws, or better-sqlite3 itself. */
function isBusy(error: unknown): boolean {
  const code = isDriverAdapterError(error) ? error.cause.originalCode : (error as { code?: unknown } | null)?.code;
  return typeof code === "string" && code.startsWith("SQLITE_BUSY");
}

const busy = () => new DriverAdapterError({ kind: "SocketTimeout" });
