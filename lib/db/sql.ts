import { Prisma } from "@/prisma/generated/sqlite/client";

/**
 * What runs SQL: these statements, or those of Prisma's client and its transactions. Times come back as Dates, whole numbers as
 * numbers (as bigints from Prisma's).
 */
export interface SqlStatements {
  $queryRaw<Rows>(query: TemplateStringsArray, ...values: unknown[]): Promise<Rows>;
  /** Answers how many rows it changed. */
  $executeRaw(query: TemplateStringsArray, ...values: unknown[]): Promise<number>;
}

/** Takes statements whose answers nobody waits for. */
export interface Writes {
  $executeRaw(query: TemplateStringsArray, ...values: unknown[]): Promise<unknown>;
}

/**
 * Statements that go past Prisma's client, on connections of their own. For what every request does: the client takes many times as
 * long for a look-up as the database does.
 */
export interface DirectSql extends SqlStatements {
  /** See `lookUps` in client.ts. */
  lookUp: SqlStatements["$queryRaw"];
  /** See `writeTogether` in client.ts. */
  together(write: (tx: Writes) => Promise<void>): Promise<void>;
  /** See `writeWith` in client.ts. */
  with<Row>(change: (tx: Pick<SqlStatements, "$queryRaw">) => Promise<Row[]>, also: (tx: Writes) => Promise<void>): Promise<Row[]>;
  /** Runs `work` in one transaction; see `transaction` in client.ts. */
  transaction<T>(work: (tx: SqlStatements) => Promise<T>): Promise<T>;
  close(): void;
}

export interface Statement {
  text: string;
  values: unknown[];
  /** The text is the same each time this place of the code is passed, so preparing it pays. */
  isFixed: boolean;
}

/** Turns templates into statements. `placeholder` is how the database marks its n-th value, counted from 1. */
export function statementMaker(placeholder: (n: number) => string): (query: TemplateStringsArray, values: unknown[]) => Statement {
  const join = (strings: readonly string[]) => strings.reduce((text, part, n) => text + placeholder(n) + part);
  // There is one array of strings for each place in the code.
  const texts = new WeakMap<TemplateStringsArray, string>();
  return (query, values) => {
    if (values.some((value) => value instanceof Prisma.Sql)) {
      const whole = Prisma.sql(query, ...values);
      return { text: join(whole.strings), values: whole.values, isFixed: false };
    }
    const text = texts.get(query) ?? join(query);
    texts.set(query, text);
    return { text, values, isFixed: true };
  };
}
