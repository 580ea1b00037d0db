import { closeSync, fdatasync, openSync, realpathSync } from "node:fs";
import { promisify } from "node:util";
import { atEndOfTurn } from "../event-loop";
import { checkBatch, type SqlEngine, type SqlTransaction, textMaker } from "./sql";
import { atConnect, type InTurn, type SqliteAccess, SqliteConnection, whileBusy } from "./sqlite";
import type { SqlChange, SqlQuery, Statement } from "./statement";

const synchronize = promisify(fdatasync);

/**
 * Brings the write-ahead log of an SQLite database to the disk, in a thread of libuv: the same call within a commit
 * would stop the event loop, and with it every reader. Others may read a change some milliseconds before it is on the
 * disk, but nobody is told before that it happened. Checkpoints have no thread: the log starts over only when all of it
 * is in the database at the moment of a write, so beside one it would grow.
 */
export class LogOnDisk {
  private log: number | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly file: string) {}

  /** Resolves when all that was committed is on the disk. Throws the system's error. */
  synchronize(): Promise<void> {
    this.running = this.synchronizeNow();
    return this.running;
  }

  close(): void {
    const end = () => {
      if (this.log !== undefined) closeSync(this.log);
    };
    this.running.then(end, end);
  }

  private async synchronizeNow(): Promise<void> {
    // Exists since the first commit, and is replaced only when no process has the database open. If the database's name
    // is a symbolic link, SQLite puts the log beside the file itself.
    this.log ??= openSync(`${realpathSync(this.file)}-wal`, "r+");
    await synchronize(this.log);
  }
}

/** Other statements wait as long as one group takes. */
const MAX_IN_GROUP = 64;

interface WaitingWrite {
  work: (tx: SqlTransaction) => Promise<unknown>;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

/** A group that was committed, and what settles each of it once that is on the disk. */
interface Committed {
  group: WaitingWrite[];
  settlements: (() => void)[];
}

/** With SQLite's code for a database that cannot be written: Prisma's connection gets the same. */
const diskFailure = (cause: unknown) =>
  Object.assign(new Error("The disk failed. Changes are refused until the service is restarted.", { cause }), {
    code: "SQLITE_READONLY",
  });

interface GroupCommit {
  write<T>(work: (tx: SqlTransaction) => Promise<T>): Promise<T>;
  /** No longer, once the disk has failed. */
  acceptsWrites(): boolean;
}

/**
 * Runs concurrent transactions as one, so that they wait for the disk once. Each has its own savepoint, so a failed one
 * is undone alone. A commit does not wait for the disk, because that would stop the event loop: `onDisk` resolves when
 * all that was committed is there, and only then are results returned. If either fails, all have failed. What is
 * requested for meanwhile is the next group. Once the disk has failed, nobody knows what is on it, so everything is
 * refused until the service is restarted.
 */
export function groupCommit(
  connection: SqliteConnection,
  tx: SqlTransaction,
  { inTurn, onDisk }: { inTurn: InTurn; onDisk: () => Promise<void> },
): GroupCommit {
  const waiting: WaitingWrite[] = [];
  let isRunning = false;
  let diskError: unknown;
  const execute = (text: string) => connection.execute(text);

  async function attempt({ work, resolve, reject }: WaitingWrite): Promise<() => void> {
    execute("SAVEPOINT one");
    try {
      const result = await work(tx);
      execute("RELEASE one");
      return () => resolve(result);
    } catch (error) {
      // A full disk may have rolled back the entire group.
      if (!connection.isInTransaction()) throw error;
      execute("ROLLBACK TO one");
      execute("RELEASE one");
      return () => reject(error);
    }
  }

  async function commit(): Promise<Committed> {
    if (diskError !== undefined) throw diskError;
    execute("BEGIN IMMEDIATE");
    const group = waiting.splice(0, MAX_IN_GROUP);
    const settlements: (() => void)[] = [];
    try {
      for (const one of group) settlements.push(await attempt(one));
      execute("COMMIT");
      return { group, settlements };
    } catch (error) {
      if (connection.isInTransaction()) execute("ROLLBACK");
      return { group, settlements: group.map((one) => () => one.reject(error)) };
    }
  }

  async function run(): Promise<void> {
    try {
      const { group, settlements } = await inTurn(commit);
      await onDisk().catch((cause: unknown) => {
        diskError = diskFailure(cause);
        for (const { reject } of group) reject(diskError);
      });
      for (const settle of settlements) settle();
    } catch (error) {
      // Refused before any work began.
      for (const { reject } of waiting.splice(0)) reject(error);
    }
    isRunning = waiting.length > 0;
    if (isRunning) atEndOfTurn(run);
  }

  return {
    write: <T>(work: (tx: SqlTransaction) => Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        waiting.push({ work, resolve: resolve as WaitingWrite["resolve"], reject });
        if (isRunning) return;
        isRunning = true;
        // Requests that arrived together are read one after another: the group closes once all have been read.
        atEndOfTurn(run);
      }),
    acceptsWrites: () => diskError === undefined,
  };
}

interface WaitingRead {
  query: Statement;
  resolve: (rows: unknown[]) => void;
  reject: (error: unknown) => void;
}

/**
 * Runs the reads of one turn of the event loop in one transaction, because locking the file takes SQLite as long as a
 * look-up. So do the reads that follow from their results, which stay in that turn. Each read begins after it was
 * requested for, and one that fails, fails alone.
 */
function groupRead(connection: SqliteConnection): (query: Statement) => Promise<unknown[]> {
  const waiting: WaitingRead[] = [];

  function readAll(): void {
    const group = waiting.splice(0);
    try {
      if (group.length > 1) connection.execute("BEGIN");
      for (const { query, resolve, reject } of group)
        try {
          resolve(connection.rows(query));
        } catch (error) {
          reject(error);
        }
      if (connection.isInTransaction()) connection.execute("COMMIT");
    } catch (error) {
      if (connection.isInTransaction()) connection.execute("ROLLBACK");
      for (const { reject } of group) reject(error);
    }
  }

  return (query) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ query, resolve, reject }) === 1) atEndOfTurn(readAll);
    });
}

/**
 * A commit writes the log, and `LogOnDisk` brings it to the disk. A checkpoint still waits for the disk. The former
 * pages of a savepoint stay in memory: beyond 64 KB, they would go to a temporary file.
 */
const WITHOUT_DISK = "PRAGMA synchronous=NORMAL; PRAGMA temp_store=MEMORY;";

/**
 * Uses two connections to `file` besides Prisma's. One reads what was committed last, even while somebody writes; the
 * other writes when its turn comes among Prisma's statements.
 */
export function sqliteSql(file: string, { inTurn, refuseWrites }: SqliteAccess): SqlEngine {
  const text = textMaker(() => "?");
  const reading = new SqliteConnection(file, text, { readonly: true });
  const writing = new SqliteConnection(file, text, { setup: `${atConnect(file)} ${WITHOUT_DISK}` });
  const log = new LogOnDisk(file);
  const tx: SqlTransaction = {
    read: async <Row>(query: SqlQuery<Row>) => writing.rows(query) as Row[],
    write: async (change: SqlChange<unknown>) => (change.shape ? writing.rows(change) : writing.run(change)) as never,
  };
  const read = groupRead(reading);
  const onDisk = () =>
    log.synchronize().catch(async (error) => {
      await refuseWrites();
      throw error;
    });
  const { write, acceptsWrites } = groupCommit(writing, tx, { inTurn, onDisk });

  /** Within a transaction. */
  function runAll([first, ...others]: readonly SqlChange<unknown>[]): unknown[] {
    if (!first) return [];
    const rows = first.shape ? writing.rows(first) : [];
    if (!first.shape) writing.run(first);
    if (!first.shape || rows.length > 0) for (const other of others) writing.run(other);
    return rows;
  }

  return {
    read: (query) => whileBusy(() => read(query)),
    readQuickly: (query) => whileBusy(() => read(query)),
    write,
    async batch(changes) {
      checkBatch(changes);
      return write(async () => runAll(changes));
    },
    async batchThenRead(changes, query) {
      checkBatch(changes);
      return write(async () => {
        const written = runAll(changes);
        return { written, rows: written.length > 0 ? writing.rows(query) : [] };
      });
    },
    acceptsWrites: async () => acceptsWrites(),
    close() {
      reading.close();
      writing.close();
      log.close();
    },
  };
}
