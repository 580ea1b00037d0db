import type { Row } from "./sqlite-connection";

/** In characters of text, each row and each key counted as some more. */
const MOST_KEPT = 16_000_000;
const MOST_OF_ONE = 16_000;
const ROW_COST = 200;

/** What look-ups answered, for as long as the database has one version. Nobody may change the rows. */
export class KnownRows {
  private version: unknown;
  private kept = 0;
  private readonly rows = new Map<TemplateStringsArray, Map<string, Row[]>>();

  /** The rows of a look-up, from `read` where they are not known at this version. */
  at(version: unknown, query: TemplateStringsArray, values: unknown[], read: () => Row[]): Row[] {
    if (version !== this.version || this.kept > MOST_KEPT) this.forget(version);
    const ofQuery = this.rows.get(query) ?? new Map<string, Row[]>();
    this.rows.set(query, ofQuery);
    const key = JSON.stringify(values);
    const known = ofQuery.get(key);
    if (known) return known;

    const rows = read();
    const cost = costOf(rows) + key.length;
    if (cost > MOST_OF_ONE) return rows;
    this.kept += cost;
    for (const row of rows) Object.freeze(row);
    ofQuery.set(key, rows);
    return rows;
  }

  private forget(version: unknown): void {
    this.version = version;
    this.kept = 0;
    this.rows.clear();
  }
}

function costOf(rows: Row[]): number {
  let cost = ROW_COST;
  for (const row of rows) {
    cost += ROW_COST;
    for (const column in row) cost += typeof row[column] === "string" ? row[column].length : 0;
  }
  return cost;
}
