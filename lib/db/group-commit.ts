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

/** A group that was committed, and what to tell each of it once that is on the disk. */
interface Committed {
  group: Waiting[];
  answers: (() => void)[];
}

/** With SQLite's code for a database that cannot be written: Prisma's connection gets the same. */
const diskFailure = (cause: unknown) =>
  Object.assign(new Error("The disk failed. Changes are refused until the service is restarted.", { cause }), {
    code: "SQLITE_READONLY",
  });

export interface GroupCommit {
  write<T>(work: (tx: SqlTransaction) => Promise<T>): Promise<T>;
  /** No longer, once the disk has failed. */
  takesWrites(): boolean;
}

/**
 * Runs concurrent transactions as one, so that they wait for the disk once. Each has its own savepoint, so a failed one
 * is undone alone. A commit does not wait for the disk, because that would stop the event loop: `onDisk` resolves when
 * all that was committed is there, and only then are results returned. If either fails, all have failed. What is asked
 * for meanwhile is the next group. Once the disk has failed, nobody knows what is on it, so everything is refused until
 * the service is restarted.
 */
export function groupCommit(
  connection: SqliteConnection,
  tx: SqlTransaction,
  inTurn: InTurn,
  onDisk: () => Promise<void>,
): GroupCommit {
  const waiting: Waiting[] = [];
  let isRunning = false;
  let diskError: unknown;
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

  async function commit(): Promise<Committed> {
    if (diskError !== undefined) throw diskError;
    say("BEGIN IMMEDIATE");
    const group = waiting.splice(0, MOST_IN_GROUP);
    const answers: (() => void)[] = [];
    try {
      for (const one of group) answers.push(await attempt(one));
      say("COMMIT");
      return { group, answers };
    } catch (error) {
      if (connection.isInTransaction()) say("ROLLBACK");
      return { group, answers: group.map((one) => () => one.reject(error)) };
    }
  }

  async function run(): Promise<void> {
    try {
      const { group, answers } = await inTurn(commit);
      await onDisk().catch((cause: unknown) => {
        diskError = diskFailure(cause);
        for (const { reject } of group) reject(diskError);
      });
      for (const answer of answers) answer();
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
        waiting.push({ work, resolve: resolve as Waiting["resolve"], reject });
        if (isRunning) return;
        isRunning = true;
        // Requests that arrived together are read one after another: the group closes once all have been read.
        atEndOfTurn(run);
      }),
    takesWrites: () => diskError === undefined,
  };
}
