import Sqlite from "better-sqlite3";
import pg from "pg";
import { vi } from "vitest";
import { ApiError } from "@/lib/platform/errors";
import { addRefusals } from "@/lib/platform/limits/refusals";

/** The prototype of all statements of better-sqlite3; its package does not export it. */
const statements: Sqlite.Statement = Object.getPrototypeOf(new Sqlite(":memory:").prepare("SELECT 1"));

const AT_ANY_MOMENT =
  /^DELETE FROM "RateLimit" WHERE expire <|SET .sealed(?:Until)?. = \S+ WHERE|pragma_freelist_count|^SELECT pg_backend_pid\(\)|"rolconnlimit"/;

/**
 * Runs the work and returns the SQL that reached the database's driver meanwhile, from this process. It leaves out what
 * comes at any moment: who was last seen, which is recorded once a second, and may be about a user of an earlier
 * request, the removal of old counts, which each limit begins every five minutes, and of the sealed form of a program's
 * token, a minute after an earlier test collected it, the room that is left on the disk, which is looked up once a
 * second, what a new connection asks once (lib/platform/db/pooler.ts), and how many more there can be, which is looked
 * up every two seconds (patient-pool.ts).
 */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  // What earlier tests were refused would be added within a minute.
  await addRefusals();
  const sent: string[] = [];
  const run = (["all", "get", "run", "iterate"] as const).map((name) => vi.spyOn(statements, name));
  const query = vi.spyOn(pg.Client.prototype, "query");
  try {
    await work();
    for (const { mock } of run) for (const { source } of mock.contexts as Sqlite.Statement[]) sent.push(source);
    const calls: unknown[][] = query.mock.calls;
    for (const [asked] of calls) sent.push(textOf(asked));
  } finally {
    for (const spy of run) spy.mockRestore();
    query.mockRestore();
  }
  return withoutLastSeen(sent.filter((text) => !AT_ANY_MOMENT.test(text)));
}

/** On SQLite, with the savepoint around it and, if nothing else was committed with it, the transaction. */
function withoutLastSeen(sent: string[]): string[] {
  const at = sent.findIndex((text) => /^\s*UPDATE "UserSummary" SET "seenAt"/.test(text));
  if (at < 0) return sent;
  const isInSavepoint = sent[at - 1]?.startsWith("SAVEPOINT ");
  const isAlone = isInSavepoint && sent[at - 2]?.startsWith("BEGIN") && sent[at + 2] === "COMMIT";
  const around = isAlone ? 2 : isInSavepoint ? 1 : 0;
  return withoutLastSeen(sent.toSpliced(at - around, 1 + 2 * around));
}

const textOf = (asked: unknown) => (typeof asked === "string" ? asked : (asked as { text: string }).text);

export const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "ok",
    (error) => {
      if (error instanceof ApiError) return error.code;
      throw error;
    },
  );

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
  const calls = (spies: { mock: { contexts: unknown[] } }[]) =>
    spies.flatMap(({ mock }) => (mock.contexts as { text: string }[]).filter(({ text }) => !AT_ANY_MOMENT.test(text)))
      .length;
  try {
    await work();
    const answers = all.mock.results.map(({ value }) => (Array.isArray(value) ? value.length : 0));
    const read = answers.reduce((sum, count) => sum + count, calls(rows));
    return { rows: read, statements: answers.length + calls(ready) };
  } finally {
    for (const spy of [all, ...rows, ...ready]) spy.mockRestore();
  }
}
