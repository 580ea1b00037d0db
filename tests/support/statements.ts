import Sqlite from "better-sqlite3";
import pg from "pg";
import { vi } from "vitest";

/** Does the work and answers the SQL that reached the database's driver meanwhile, from this process. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = [];
  const prepare = vi.spyOn(Sqlite.prototype, "prepare");
  const query = vi.spyOn(pg.Client.prototype, "query");
  try {
    await work();
    for (const [sql] of prepare.mock.calls) sent.push(sql);
    for (const [asked] of query.mock.calls as unknown as [string | { text: string }][]) sent.push(typeof asked === "string" ? asked : asked.text);
  } finally {
    prepare.mockRestore();
    query.mockRestore();
  }
  return sent;
}
