import type { Insert, SqlChange, SqlQuery, Statement } from "./statement";

/** Statements in one transaction. */
export interface SqlTransaction {
  read<Row>(query: SqlQuery<Row>): Promise<Row[]>;
  /** Returns the number of rows written, or with RETURNING these rows. */
  write(change: SqlChange): Promise<number>;
  write<Row>(change: SqlChange<Row>): Promise<Row[]>;
}

/** The second door to the data, for the statements in each area's `queries.ts`. Times are Dates, integers numbers. */
export interface Sql {
  /** Rows as last committed, even while somebody writes. */
  read<Row>(query: SqlQuery<Row>): Promise<Row[]>;
  /**
   * The same for a statement that an index answers at once, whatever is stored, and that locks nothing: on PostgreSQL
   * it shares a connection with others, which wait for it.
   */
  readQuickly<Row>(query: SqlQuery<Row>): Promise<Row[]>;
  /**
   * Runs `work` in one transaction, all or nothing. PostgreSQL may refuse one of two conflicting transactions; it is
   * then retried. So `work` must be safe to repeat and awaits nothing but `tx`.
   */
  write<T>(work: (tx: SqlTransaction) => Promise<T>): Promise<T>;
  /**
   * Makes a change and inserts, all or none. If the first returns rows (RETURNING), the others are single-row inserts,
   * made only if it wrote any, and its rows are returned. One statement on PostgreSQL.
   */
  batch<Row>(changes: readonly [SqlChange<Row>, ...Insert[]]): Promise<Row[]>;
  batch(changes: readonly SqlChange[]): Promise<never[]>;
  /**
   * A `batch` whose first change returns rows, and what `query` finds right after it, if that change wrote any. If only
   * the query fails, this throws, and on PostgreSQL, where both are sent together, the changes stay.
   */
  batchThenRead<Row, Result>(
    changes: readonly [SqlChange<Row>, ...Insert[]],
    query: SqlQuery<Result>,
  ): Promise<{ written: Row[]; rows: Result[] }>;
}

/** The implementation for one database. */
export interface SqlEngine {
  read(query: Statement): Promise<unknown[]>;
  readQuickly(query: Statement): Promise<unknown[]>;
  write<T>(work: (tx: SqlTransaction) => Promise<T>): Promise<T>;
  batch(changes: readonly SqlChange<unknown>[]): Promise<unknown[]>;
  batchThenRead(
    changes: readonly SqlChange<unknown>[],
    query: Statement,
  ): Promise<{ written: unknown[]; rows: unknown[] }>;
  /** False on a standby, if its operator or a full disk stopped all writes, and once SQLite's disk has failed. */
  acceptsWrites(): Promise<boolean>;
  close(): void;
}

/** Builds the texts of statements for one database. `placeholder` renders the n-th value, counted from 1. */
export function textMaker(placeholder: (n: number) => string): (statement: Statement) => string {
  // A fixed statement has one array of strings per call site.
  const texts = new WeakMap<readonly string[], string>();
  return ({ strings }) => {
    const text = texts.get(strings) ?? strings.reduce((before, part, n) => before + placeholder(n) + part);
    texts.set(strings, text);
    return text;
  };
}

/** Throws if a batch breaks the rules of `batch`: what databases do with others differs. */
export function checkBatch([first, ...others]: readonly SqlChange<unknown>[]): void {
  if (others.some(({ shape, isInsert }) => shape || !isInsert))
    throw new Error("Only the first change of a batch may return rows, or be anything but an insert.");
  if (first?.shape && !others.every((other) => conditional(other)))
    throw new Error("Only single-row inserts without ON CONFLICT may follow a change that returns rows in a batch.");
}

/** The text of an insert that runs only under a condition; undefined if it cannot have one. */
export const conditional = (change: SqlChange<unknown>) =>
  change.isInsert ? (change as unknown as Insert).text.when : undefined;
