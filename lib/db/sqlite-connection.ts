import Database from "better-sqlite3";
import { atConnect } from "./sqlite";
import type { Statement } from "./statement";

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
const MOST_PREPARED = 100;

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
    private readonly options: Database.Options,
    private readonly textOf: (statement: Statement) => string,
    private readonly setup = atConnect(file),
  ) {}

  rows(asked: Statement): Row[] {
    const { statement, columns, emptyRow } = this.prepare(this.textOf(asked), asked.isFixed);
    return statement.all(asked.values.map(asStored)).map((stored) => {
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
  run(asked: Statement): number {
    return this.prepare(this.textOf(asked), asked.isFixed).statement.run(asked.values.map(asStored)).changes;
  }

  /** Runs a statement without values, like BEGIN. */
  say(text: string): void {
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
    const kept = isFixed ? this.fixed : this.others;
    const known = kept.get(text);
    if (known && isFixed) return known;
    const prepared = known ?? this.preparedNow(text);
    // Keeps the most recently used last.
    kept.delete(text);
    kept.set(text, prepared);
    const [oldest] = this.others.keys();
    if (this.others.size > MOST_PREPARED && oldest !== undefined) this.others.delete(oldest);
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
    const database = new Database(this.file, { ...this.options, timeout: 0 });
    database.exec(this.setup);
    return database;
  }
}

/** Times are stored as milliseconds, as Prisma's adapter is configured. */
function asStored(value: unknown): unknown {
  if (value instanceof Date) return value.getTime();
  return typeof value === "boolean" ? Number(value) : value;
}
