import { Prisma } from "@/prisma/generated/sqlite/client";
import { env } from "../env";

type Model = Prisma.ModelName;
type Scalars<M extends Model> = Prisma.TypeMap["model"][M]["payload"]["scalars"];
/** The value of a column as `sql` returns it: as in Prisma's model, except that every integer is a number. */
type Stored<Value> = Value extends bigint ? number : Value extends Uint8Array ? Uint8Array : Value;

/** The tables of a query by alias. "?": joined by LEFT JOIN, so its columns may be null. */
type Tables = Record<string, Model | `${Model}?`>;
type ModelOf<Table> = Table extends `${infer M extends Model}?` ? M : Table extends Model ? Table : never;
type Column<T extends Tables> = {
  [Alias in keyof T & string]: `${Alias}.${keyof Scalars<ModelOf<T[Alias]>> & string}`;
}[keyof T & string];

/** An expression that the database computes, and the kind of its result. */
interface Computed<Value> {
  expression: string;
  kind: "integer" | "text" | "bytes";
  value?: Value;
}

/** A computed integer. Cast sums to BIGINT: PostgreSQL returns wider ones as text. */
export const integer = (expression: string): Computed<number> => ({ expression, kind: "integer" });
/** The same, but null if there is nothing to add up. */
export const integerOrNull = (expression: string): Computed<number | null> => ({ expression, kind: "integer" });
/** Computed text. */
export const textOrNull = (expression: string): Computed<string | null> => ({ expression, kind: "text" });
/**
 * A column of many bytes. PostgreSQL sends bytes as hexadecimal text, with which 100 KB take this process 762 µs, as
 * base64 469: a download takes 1.4 times as long without it. The type, which no column has, tells ./postgres-sql to
 * decode it.
 */
export const manyBytes = (column: string): Computed<Uint8Array> => ({
  expression: env.DATABASE_URL ? `encode(${column}, 'base64')::bpchar` : column,
  kind: "bytes",
});

type Value<T extends Tables, C> =
  C extends Computed<infer V>
    ? V
    : C extends `${infer Alias}.${infer Name}`
      ? Alias extends keyof T
        ? Name extends keyof Scalars<ModelOf<T[Alias]>>
          ? Stored<Scalars<ModelOf<T[Alias]>>[Name]> | (T[Alias] extends `${string}?` ? null : never)
          : never
        : never
      : never;

/** The type of a row of this shape. */
export type RowOf<S> = S extends RowShape<infer Row> ? Row : never;

/** A statement of the second door: its text around its values. Created only by the functions of this file. */
export class Statement {
  constructor(
    readonly strings: readonly string[],
    readonly values: readonly unknown[],
    /** The text is the same on every call of this code, so it pays to prepare it. */
    readonly isFixed: boolean,
  ) {}
}

/** Reads rows. */
export class SqlQuery<Row> extends Statement {
  constructor(
    { strings, values, isFixed }: Statement,
    readonly shape: RowShape<Row>,
  ) {
    super(strings, values, isFixed);
  }
}

/** Writes rows; with RETURNING, returns them. */
export class SqlChange<Row = never> extends Statement {
  // A field, because Next's bundle and the server's bundle each have a copy of this class.
  readonly isInsert: boolean = false;
  constructor(
    { strings, values, isFixed }: Statement,
    /** The shape of the rows it returns; undefined if it returns none. */
    readonly shape?: RowShape<Row>,
  ) {
    super(strings, values, isFixed);
  }
}

/** The text of an insert, and if it is of one row without ON CONFLICT, its text with a condition. */
interface InsertText {
  strings: readonly string[];
  when?: (condition: string) => readonly string[];
}

/** A change that adds rows. */
export class Insert extends SqlChange {
  override readonly isInsert = true;
  constructor(
    readonly text: InsertText,
    values: readonly unknown[],
    isFixed: boolean,
  ) {
    super({ strings: text.strings, values, isFixed });
  }
}

/** The text around a statement's own. */
interface Around {
  before: string;
  after: string;
}

/** The columns of returned rows: the name of each and its model. */
export class RowShape<Row> {
  /** Used only for its type. */
  declare readonly row: Row;
  private readonly selected: Around;
  private readonly returned: Around;
  private readonly texts = new WeakMap<TemplateStringsArray, readonly string[]>();

  constructor(
    readonly tables: Tables,
    readonly columns: Record<string, string | Computed<unknown>>,
  ) {
    const list = (name: (column: string) => string) =>
      Object.entries(columns)
        .map(([as, of]) => `${typeof of === "string" ? name(of) : of.expression} AS "${as}"`)
        .join(", ");
    this.selected = { before: `SELECT ${list((column) => column.replace(/\.(\w+)$/, '."$1"'))} FROM `, after: "" };
    this.returned = { before: "", after: ` RETURNING ${list((column) => column.replace(/^.*\.(\w+)$/, '"$1"'))}` };
    this.from = this.from.bind(this);
    this.returning = this.returning.bind(this);
  }

  /** Rows of this shape: the text that follows FROM. Values may include SQL fragments (`Prisma.sql`). */
  from(query: TemplateStringsArray, ...values: unknown[]): SqlQuery<Row> {
    return new SqlQuery(this.statement(query, values, this.selected), this);
  }

  /** A change of one table that returns the rows it wrote: the text before RETURNING. */
  returning(query: TemplateStringsArray, ...values: unknown[]): SqlChange<Row> {
    return new SqlChange(this.statement(query, values, this.returned), this);
  }

  private statement(query: TemplateStringsArray, values: unknown[], around: Around): Statement {
    const cached = this.texts.get(query);
    if (cached && cached.length === query.length && !hasParts(values)) return new Statement(cached, values, true);
    const strings = [...query];
    strings[0] = around.before + strings[0];
    strings.push(strings.pop() + around.after);
    const statement = merged(strings, values);
    if (statement.isFixed) this.texts.set(query, strings);
    return statement;
  }
}

/**
 * The shape of rows of these tables, typed by Prisma's models: `{ id: "k.id" }` is the column `id` of the alias `k`.
 */
export function rowShape<const T extends Tables, const C extends Record<string, Column<T> | Computed<unknown>>>(
  tables: T,
  columns: C,
): RowShape<{ [Name in keyof C]: Value<T, C[Name]> }> {
  return new RowShape(tables, columns);
}

/** A change that returns no rows. */
export function sqlChange(query: TemplateStringsArray, ...values: unknown[]): SqlChange {
  return new SqlChange(hasParts(values) ? merged([...query], values) : new Statement(query, values, true));
}

const hasParts = (values: readonly unknown[]) => values.some((value) => value instanceof Prisma.Sql);

/** A statement with its SQL fragments merged into the text. */
function merged(strings: string[], values: readonly unknown[]): Statement {
  if (!hasParts(values)) return new Statement(strings, values, true);
  const { strings: texts, values: all } = Prisma.sql(strings, ...values);
  return new Statement(texts, all, false);
}

type Insertable<Value> = Value extends bigint ? number | bigint : Stored<Value>;
type Nullable<R> = { [C in keyof R]: null extends R[C] ? C : never }[keyof R];
type CountedUp<R> = R extends { id: number | bigint } ? "id" : never;
/** Every column of a new row. A nullable column or an autoincremented id may be left out. */
export type NewRow<M extends Model, R = Scalars<M>> = {
  [C in Exclude<keyof R, Nullable<R> | CountedUp<R>>]: Insertable<R[C]>;
} & { [C in Nullable<R>]?: Insertable<R[C]> };

const inserts = new Map<string, InsertText>();
/** Each number of rows is a different statement; statements for many rows are not worth keeping prepared. */
const MAX_PREPARED_ROWS = 8;

/**
 * Adds rows, each with the same columns.
 * With `otherwise`, a row whose `unique` columns exist already gets the new values of the columns `set`; without any,
 * it stays as it is.
 */
export function insert<M extends Model>(
  model: M,
  rows: NewRow<M> | readonly NewRow<M>[],
  otherwise?: { unique: readonly (keyof Scalars<M> & string)[]; set: readonly (keyof Scalars<M> & string)[] },
): Insert {
  const all = (Array.isArray(rows) ? rows : [rows]) as readonly Record<string, unknown>[];
  const columns = Object.keys(all[0] ?? {});
  const key = `${model} ${all.length} ${columns} ${otherwise?.unique} ${otherwise?.set}`;
  const text = inserts.get(key) ?? insertText(model, columns, { rows: all.length, otherwise });
  const isFixed = all.length <= MAX_PREPARED_ROWS;
  if (isFixed) inserts.set(key, text);
  const values = all.flatMap((row) => columns.map((column) => row[column]));
  return new Insert(text, values, isFixed);
}

function insertText(
  model: string,
  columns: string[],
  { rows, otherwise }: { rows: number; otherwise?: { unique: readonly string[]; set: readonly string[] } | undefined },
): InsertText {
  const names = (list: readonly string[]) => list.map((name) => `"${name}"`).join(", ");
  const gaps = Array.from({ length: columns.length - 1 }, () => ", ");
  const into = `INSERT INTO "${model}" (${names(columns)})`;
  const update = otherwise?.set.map((name) => `"${name}" = excluded."${name}"`).join(", ");
  const end = otherwise
    ? ` ON CONFLICT (${names(otherwise.unique)}) ${update ? `DO UPDATE SET ${update}` : "DO NOTHING"}`
    : "";
  const between = Array.from({ length: rows - 1 }, () => [...gaps, "), ("]).flat();
  return {
    strings: [`${into} VALUES (`, ...between, ...gaps, `)${end}`],
    ...(rows === 1 && !otherwise && { when: (condition) => [`${into} SELECT `, ...gaps, ` WHERE ${condition}`] }),
  };
}

/**
 * Many rows in one parameter, to be selected from as `"row"`. Their values are `"row"->>0`, `"row"->>1` and so on, to
 * be cast. With one parameter per value, each number of rows would be a different statement.
 */
export function jsonRows(rows: readonly (readonly unknown[])[]): Prisma.Sql {
  const json = JSON.stringify(rows);
  return env.DATABASE_URL
    ? Prisma.sql`(SELECT value AS "row" FROM json_array_elements(${json}::json)) AS "rows"`
    : Prisma.sql`(SELECT value AS "row" FROM json_each(${json})) AS "rows"`;
}
