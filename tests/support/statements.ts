import Sqlite from "better-sqlite3";
import pg from "pg";
import { vi } from "vitest";
import type { Pipeline } from "@/lib/db/pipeline";

/** The prototype of all statements of better-sqlite3; its package does not export it. */
const statements: Sqlite.Statement = Object.getPrototypeOf(new Sqlite(":memory:").prepare("SELECT 1"));

/** Runs the work and returns the SQL that reached the database's driver meanwhile, from this process. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = [];
  const run = (["all", "get", "run", "iterate"] as const).map((name) => vi.spyOn(statements, name));
  const query = vi.spyOn(pg.Client.prototype, "query");
  try {
    await work();
    for (const { mock } of run) for (const { source } of mock.contexts as Sqlite.Statement[]) sent.push(source);
    for (const [asked] of query.mock.calls as unknown as [string | { text: string } | Pipeline][])
      sent.push(...(typeof asked === "string" ? [asked] : "texts" in asked ? asked.texts : [asked.text]));
  } finally {
    for (const spy of run) spy.mockRestore();
    query.mockRestore();
  }
  return sent;
}
