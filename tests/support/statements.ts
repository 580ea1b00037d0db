import Sqlite from "better-sqlite3";
import pg from "pg";
import { vi } from "vitest";
import { Trip } from "@/lib/db/trip";

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
    const calls: unknown[][] = query.mock.calls;
    for (const [asked] of calls) sent.push(...textsOf(asked));
  } finally {
    for (const spy of run) spy.mockRestore();
    query.mockRestore();
  }
  return sent;
}

/** The texts of what pg's client is asked for. */
function textsOf(asked: unknown): string[] {
  if (typeof asked === "string") return [asked];
  return asked instanceof Trip ? asked.texts : [(asked as { text: string }).text];
}
