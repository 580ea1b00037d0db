import type { SqlStatements } from "./sql";
import type { InTurn } from "./sqlite";
import type { SqliteConnection } from "./sqlite-connection";

/** Others wait for their turn as long as one group takes. */
const MOST_IN_GROUP = 64;

interface Waiting {
  work: (tx: SqlStatements) => Promise<unknown>;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

/**
 * Runs the transactions that are asked for at the same time as one, so that they wait for the disk once: each under a savepoint of
 * its own, so that one that fails is undone alone. All are answered after the commit; where that fails, all of them failed.
 */
export function groupCommit(connection: SqliteConnection, tx: SqlStatements, inTurn: InTurn): <T>(work: (tx: SqlStatements) => Promise<T>) => Promise<T> {
  const waiting: Waiting[] = [];
  const say = (text: string) => connection.run({ text, values: [], isFixed: true });

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

  /** Only the turn and the lock can be refused here, before any work was begun. */
  function start(): void {
    inTurn(runGroup).catch((error: unknown) => {
      for (const { reject } of waiting.splice(0)) reject(error);
    });
  }

  return <T>(work: (tx: SqlStatements) => Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      waiting.push({ work, resolve: resolve as Waiting["resolve"], reject });
      // Requests that arrived together are read one after another: the group is closed when all of them were.
      if (waiting.length === 1) setImmediate(start);
    });
}
