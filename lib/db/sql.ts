import type { Insert, SqlChange, SqlQuery, Statement } from "./statement";

/** Statements in one transaction. */
export interface SqlTransaction {
  read<Row>(query: SqlQuery<Row>): Promise<Row[]>;
  /** Returns the number of rows written, or with RETURNING these rows. */
  write(change: SqlChange): Promise<number>;
  write<Row>(change: SqlChange<Row>): Promise<Row[]>;
}

/** The second door to the data, for the statements in each area's `rows.ts`. Times are Dates, integers are numbers. */
export interface Sql {
  /** Rows as last committed, even while somebody writes. */
  read<Row>(query: SqlQuery<Row>): Promise<Row[]>;
  /**
   * Runs `work` in one transaction, all or nothing. PostgreSQL may refuse one of two conflicting transactions; it is
   * then retried. So `work` must be safe to repeat and awaits nothing but `tx`.
   */
  write<T>(work: (tx: SqlTransaction) => Promise<T>): Promise<T>;
  /**
   * Makes several independent changes, all or none: none may use a table that another one writes. If the first returns
   * rows (RETURNING), the others are single-row inserts, made only if it wrote any, and its rows are returned. Costs
   * one round trip on PostgreSQL.
   */
  batch<Row>(changes: readonly [SqlChange<Row>, ...Insert[]]): Promise<Row[]>;
  batch(changes: readonly SqlChange[]): Promise<never[]>;
  /**
   * A `batch` whose first change returns rows, and what `query` finds once they are written: nobody can change them in
   * between. If the first change wrote nothing, nothing is read. Costs one round trip on PostgreSQL, too.
   */
  batchThenRead<Row, Found>(
    changes: readonly [SqlChange<Row>, ...Insert[]],
    query: SqlQuery<Found>,
  ): Promise<{ written: Row[]; found: Found[] }>;
}

/** The implementation for one database. */
export interface SqlEngine {
  read(query: Statement): Promise<unknown[]>;
  write<T>(work: (tx: SqlTransaction) => Promise<T>): Promise<T>;
  batch(changes: readonly SqlChange<unknown>[]): Promise<unknown[]>;
  batchThenRead(
    changes: readonly SqlChange<unknown>[],
    query: Statement,
  ): Promise<{ written: unknown[]; found: unknown[] }>;
  /** False on a standby, if its operator or a full disk stopped all writes, and once SQLite's disk has failed. */
  takesWrites(): Promise<boolean>;
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

interface Uses {
  written: string | undefined;
  all: ReadonlySet<string>;
}

const uses = new WeakMap<readonly string[], Uses>();

/** The tables that a change names; the first is the one it writes. */
function usesOf({ strings }: SqlChange<unknown>): Uses {
  const known = uses.get(strings);
  if (known) return known;
  const tables = [...strings.join("?").matchAll(/\b(?:FROM|INTO|JOIN|UPDATE)\s+"(\w+)"/g)].map(
    ([, table]) => table ?? "",
  );
  const found = { written: tables[0], all: new Set(tables) };
  uses.set(strings, found);
  return found;
}

/**
 * Throws if a batch breaks the rules of `batch`. On PostgreSQL, no statement of a batch sees what another one wrote; on
 * SQLite, it does. Statements that depend on this would behave differently.
 */
export function checkBatch(changes: readonly SqlChange<unknown>[]): void {
  const [first, ...others] = changes;
  if (first?.shape && !others.every(({ isInsert }) => isInsert))
    throw new Error("Only inserts may follow a change that returns rows in a batch. Use sql.write.");
  if (first?.shape && others.some(({ strings }) => !strings.at(-1)?.endsWith(" WHERE true")))
    throw new Error("Only single-row inserts without ON CONFLICT may follow a change that returns rows in a batch.");
  if (others.some(({ shape }) => shape)) throw new Error("Only the first change of a batch may return rows.");
  for (const change of changes)
    for (const other of changes) {
      const { written } = usesOf(change);
      if (other !== change && written !== undefined && usesOf(other).all.has(written))
        throw new Error(
          `Two changes of a batch use the table ${written}, so one may depend on the other. Use sql.write.`,
        );
    }
}
