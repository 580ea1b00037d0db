import Sqlite from "better-sqlite3";
import pg from "pg";
import { vi } from "vitest";

const statements: Sqlite.Statement = Object.getPrototypeOf(new Sqlite(":memory:").prepare("SELECT 1"));
/** pg's prototype of queries; its types do not declare it. */
const queries: { handleDataRow(message: unknown): void; handleReadyForQuery(connection: unknown): void } =
  Object.create(pg.Query.prototype).constructor.prototype;

/**
 * Runs the work and returns how many rows the database passed to this process meanwhile, and in how many statements.
 */
export async function rowsReadBy(work: () => Promise<unknown>): Promise<{ rows: number; statements: number }> {
  const all = vi.spyOn(statements, "all");
  const rows = [vi.spyOn(queries, "handleDataRow")];
  const ready = [vi.spyOn(queries, "handleReadyForQuery")];
  const calls = (spies: { mock: { calls: unknown[] } }[]) =>
    spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  try {
    await work();
    const answers = all.mock.results.map(({ value }) => (Array.isArray(value) ? value.length : 0));
    const read = answers.reduce((sum, count) => sum + count, calls(rows));
    return { rows: read, statements: answers.length + calls(ready) };
  } finally {
    for (const spy of [all, ...rows, ...ready]) spy.mockRestore();
  }
}
