import { atEndOfTurn } from "@/lib/end-of-turn";
import type { SqliteConnection } from "./sqlite-connection";
import type { Statement } from "./statement";

interface Waiting {
  query: Statement;
  resolve: (rows: unknown[]) => void;
  reject: (error: unknown) => void;
}

/**
 * Runs the reads of one turn of the event loop in one transaction, because locking the file takes SQLite as long as a
 * look-up. So do the reads that follow from their results, which stay in that turn. Each read begins after it was asked
 * for, and one that fails, fails alone.
 */
export function groupRead(connection: SqliteConnection): (query: Statement) => Promise<unknown[]> {
  const waiting: Waiting[] = [];

  function readAll(): void {
    const group = waiting.splice(0);
    try {
      if (group.length > 1) connection.say("BEGIN");
      for (const { query, resolve, reject } of group)
        try {
          resolve(connection.rows(query));
        } catch (error) {
          reject(error);
        }
      if (connection.isInTransaction()) connection.say("COMMIT");
    } catch (error) {
      if (connection.isInTransaction()) connection.say("ROLLBACK");
      for (const { reject } of group) reject(error);
    }
  }

  return (query) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ query, resolve, reject }) === 1) atEndOfTurn(readAll);
    });
}
