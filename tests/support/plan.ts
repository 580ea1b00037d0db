import { db, sql } from "@/lib/db/client";
import { RowShape, SqlQuery } from "@/lib/db/statement";
import { env } from "@/lib/env";

/** The database's plan for a query of files, line by line. */
export async function planOf({ strings, values }: SqlQuery<unknown>): Promise<string[]> {
  if (env.DATABASE_URL) await db.$executeRaw`ANALYZE "FileEntry", "FilePiece"`;
  const [first, ...others] = strings;
  const explain = `${env.DATABASE_URL ? "EXPLAIN" : "EXPLAIN QUERY PLAN"} ${first}`;
  const plan = await sql.read(
    new SqlQuery([explain, ...others], values, false, new RowShape<Record<string, unknown>>({}, {})),
  );
  return plan.map((line) => String(Object.values(line).at(-1)));
}
