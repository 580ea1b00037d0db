import { Insert, type InsertText, type Model, type Scalars, type Stored } from "./statement";

type Taken<Value> = Value extends bigint ? number | bigint : Stored<Value>;
type Nullable<R> = { [C in keyof R]: null extends R[C] ? C : never }[keyof R];
type CountedUp<R> = R extends { id: number | bigint } ? "id" : never;
/** Every column of a new row. A nullable column or an autoincremented id may be left out. */
export type NewRow<M extends Model, R = Scalars<M>> = {
  [C in Exclude<keyof R, Nullable<R> | CountedUp<R>>]: Taken<R[C]>;
} & { [C in Nullable<R>]?: Taken<R[C]> };

const inserts = new Map<string, InsertText>();
/** Each number of rows is a different statement; statements for many rows are not worth keeping prepared. */
const MOST_PREPARED_ROWS = 8;

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
  const text = inserts.get(key) ?? insertText(model, columns, all.length, otherwise);
  const isFixed = all.length <= MOST_PREPARED_ROWS;
  if (isFixed) inserts.set(key, text);
  const values = all.flatMap((row) => columns.map((column) => row[column]));
  return new Insert(text, values, isFixed);
}

function insertText(
  model: string,
  columns: string[],
  rows: number,
  otherwise?: { unique: readonly string[]; set: readonly string[] },
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
