import Database from "better-sqlite3";
import { type DirectSql, type SqlStatements, type Statement, statementMaker } from "./sql";
import { type InTurn, whileBusy } from "./sqlite";

/**
 * On two connections to `file` beside Prisma's. Outside of a transaction, `$queryRaw` only reads, and at once: what was committed
 * last, whoever writes meanwhile. All that writes waits for its turn like Prisma's statements.
 */
export function sqliteSql(file: string, inTurn: InTurn): DirectSql {
  const statement = statementMaker(() => "?");
  const reading = new Connection(file, { readonly: true });
  const writing = new Connection(file, {});
  const tx: SqlStatements = {
    $queryRaw: async <Rows>(query: TemplateStringsArray, ...values: unknown[]) => writing.rows(statement(query, values)) as Rows,
    $executeRaw: async (query, ...values) => writing.run(statement(query, values)),
  };
  const plain = (text: string) => writing.run({ text, values: [], isFixed: true });

  return {
    $queryRaw: <Rows>(query: TemplateStringsArray, ...values: unknown[]) => whileBusy(async () => reading.rows(statement(query, values)) as Rows),
    $executeRaw: (query, ...values) => inTurn(async () => writing.run(statement(query, values))),
    transaction: (work) =>
      inTurn(async () => {
        plain("BEGIN IMMEDIATE");
        try {
          const result = await work(tx);
          plain("COMMIT");
          return result;
        } catch (error) {
          // A full disk has rolled back already.
          if (writing.isInTransaction()) plain("ROLLBACK");
          throw error;
        }
      }),
    close() {
      reading.close();
      writing.close();
    },
  };
}

interface Prepared {
  statement: Database.Statement<unknown[], Record<string, unknown>>;
  /** The columns that hold times, as numbers. */
  times: string[];
}

/** A connection that opens at its first use and prepares every fixed statement once. */
class Connection {
  private database: Database.Database | undefined;
  private readonly prepared = new Map<string, Prepared>();

  constructor(
    private readonly file: string,
    private readonly options: Database.Options,
  ) {}

  rows({ text, values, isFixed }: Statement): Record<string, unknown>[] {
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
    const statement = this.database.prepare<unknown[], Record<string, unknown>>(text);
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
