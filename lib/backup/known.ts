import { isPlain, type Plain, type Table, tables } from "./tables";

/** The table that a line of a backup announces, from our own definitions: the line only selects among known tables. */
export function knownTable(line: unknown): Table | undefined {
  if (!isObject(line) || !Array.isArray(line.columns)) return undefined;
  const known = tables("former columns too").find(({ name }) => name === line.name);
  const columns = line.columns.flatMap(
    (sent: unknown) =>
      known?.columns.find(({ name, kind }) => isObject(sent) && sent.name === name && sent.kind === kind) ?? [],
  );
  const isWhole =
    columns.length === line.columns.length && columns.length > 0 && new Set(columns).size === columns.length;
  return known && isWhole ? { name: known.name, columns } : undefined;
}

/** Whether a line of a backup is a row of this table. */
export function isRowOf({ columns }: Table, line: unknown): line is Plain[] {
  return (
    Array.isArray(line) &&
    line.length === columns.length &&
    columns.every((column, index) => isPlain(line[index], column))
  );
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
