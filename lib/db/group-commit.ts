import { atEndOfTurn } from "@/lib/end-of-turn";
import type { SqlTransaction } from "./sql";
import type { InTurn } from "./sqlite";
import type { SqliteConnection } from "./sqlite-connection";

/** Other statements wait as long as one group takes. */
const MOST_IN_GROUP = 64;

interface Waiting {
  work: (tx: SqlTransaction) => Promise<unknown>;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

/**
 * Runs concurrent transactions as one, so that they wait for the disk once. Each has its own savepoint, so a failed one
 * is undone alone. All results are returned after the commit; if that fails, all have failed.
 */
export function groupCommit(
  connection: SqliteConnection,
  tx: SqlTransaction,
  inTurn: InTurn,
): <T>(work: (tx: SqlTransaction) => Promise<T>) => Promise<T> {
  const waiting: Waiting[] = [];
  const say = (text: string) => connection.say(text);

  async function attempt({ work, resolve, reject }: Waiting): Promise<() => void> {
    say("SAVEPOINT one");
    try {
      const result = await work(tx);
      say("RELEASE one");
      return () => resolve(result);
    } catch (error) {
      // A full disk may have rolled back the whole group.
      if (!connection.isInTransaction()) throw error;
      say("ROLLBACK TO one");
      say("RELEASE one");
      return () => reject(error);
    }
  }

  async function runGroup(): Promise<void> {
    if (waiting.length === 0) return;
    say("BEGIN IMMEDIATE");
    const group = waiting.splice(0, MOST_IN_GROUP);
    if (waiting.length > 0) setImmediate(start);
    const answers: (() => void)[] = [];
    try {
      for (const one of group) answers.push(await attempt(one));
      say("COMMIT");
    } catch (error) {
      if (connection.isInTransaction()) say("ROLLBACK");
      answers.splice(
        0,
        answers.length,
        ...group.map(
          ({ reject }) =>
            () =>
              reject(error),
        ),
      );
    }
    for (const answer of answers) answer();
  }

  /** Only the turn and the lock can be refused here, before any work has begun. */
  function start(): void {
    inTurn(runGroup).catch((error: unknown) => {
      for (const { reject } of waiting.splice(0)) reject(error);
    });
  }

  return <T>(work: (tx: SqlTransaction) => Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      waiting.push({ work, resolve: resolve as Waiting["resolve"], reject });
      // Requests that arrived together are read one after another: the group closes once all have been read.
      if (waiting.length === 1) atEndOfTurn(start);
    });
}
