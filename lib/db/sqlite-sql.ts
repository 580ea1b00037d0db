import { groupCommit } from "./group-commit";
import { groupRead } from "./group-read";
import { LogOnDisk } from "./log-on-disk";
import { checkBatch, type SqlEngine, type SqlTransaction, textMaker } from "./sql";
import { atConnect, type SqliteAccess, whileBusy } from "./sqlite";
import { SqliteConnection } from "./sqlite-connection";
import type { SqlChange, SqlQuery } from "./statement";

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
  const reading = new SqliteConnection(file, { readonly: true }, text);
  const writing = new SqliteConnection(file, {}, text, `${atConnect(file)} ${WITHOUT_DISK}`);
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
  const { write, takesWrites } = groupCommit(writing, tx, inTurn, onDisk);

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
        return { written, found: written.length > 0 ? writing.rows(query) : [] };
      });
    },
    takesWrites: async () => takesWrites(),
    close() {
      reading.close();
      writing.close();
      log.close();
    },
  };
}
