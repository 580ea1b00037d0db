import Database from "better-sqlite3";
import type { Statement } from "./sql";

export type Row = Record<string, unknown>;

interface Prepared {
  statement: Database.Statement<unknown[], Row>;
  /** The columns that hold times, as numbers. */
  times: string[];
}

/** A connection that opens at its first use and prepares every fixed statement once. */
export class SqliteConnection {
  private database: Database.Database | undefined;
  private readonly prepared = new Map<string, Prepared>();

  constructor(
    private readonly file: string,
    private readonly options: Database.Options,
  ) {}

  rows({ text, values, isFixed }: Statement): Row[] {
    const { statement, times } = this.prepare(text, isFixed);
    const rows = statement.all(values.map(asStored));
    for (const row of rows) for (const column of times) if (row[column] !== null) row[column] = new Date(row[column] as number);
    return rows;
  }

  run({ text, values, isFixed }: Statement): number {
    return this.prepare(text, isFixed).statement.run(values.map(asStored)).changes;
  }

  isInTransaction(): boolean {
    return this.database?.inTransaction ?? false;
  }

  close(): void {
    this.database?.close();
  }

  private prepare(text: string, isFixed: boolean): Prepared {
    const known = this.prepared.get(text);
    if (known) return known;
    this.database ??= this.open();
    const statement = this.database.prepare<unknown[], Row>(text);
    const times = statement.reader ? statement.columns().flatMap(({ name, type }) => (type === "DATETIME" ? [name] : [])) : [];
    const prepared = { statement, times };
    if (isFixed) this.prepared.set(text, prepared);
    return prepared;
  }

  private open(): Database.Database {
    const database = new Database(this.file, { ...this.options, timeout: 0 });
    database.exec("PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA trusted_schema=OFF;");
    return database;
  }
}

/** Times are stored as milliseconds, as Prisma's adapter is told to do. */
function asStored(value: unknown): unknown {
  return value instanceof Date ? value.getTime() : value;
}
