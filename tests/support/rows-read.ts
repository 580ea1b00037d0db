import Sqlite from "better-sqlite3";
import pg from "pg";
import { vi } from "vitest";

/** The prototype of all statements of better-sqlite3; its package does not export it. */
const statements: Sqlite.Statement = Object.getPrototypeOf(new Sqlite(":memory:").prepare("SELECT 1"));
/** pg's prototype of queries; its types do not declare it. */
const queries: { handleDataRow(message: unknown): void; handleReadyForQuery(connection: unknown): void } =
  Object.create(pg.Query.prototype).constructor.prototype;

/**
 * Runs the work and returns how many rows the database passed to this process meanwhile, and in how many statements.
 */
export async function rowsReadBy(work: () => Promise<unknown>): Promise<{ rows: number; statements: number }> {
  const all = vi.spyOn(statements, "all");
  const row = vi.spyOn(queries, "handleDataRow");
  const ready = vi.spyOn(queries, "handleReadyForQuery");
  try {
    await work();
    const answers = all.mock.results.map(({ value }) => (Array.isArray(value) ? value.length : 0));
    return {
      rows: answers.reduce((sum, rows) => sum + rows, row.mock.calls.length),
      statements: answers.length + ready.mock.calls.length,
    };
  } finally {
    for (const spy of [all, row, ready]) spy.mockRestore();
  }
}
