import { Client } from "pg";
import { env } from "@/lib/env";

/** Counts the pages that PostgreSQL looks at for statements: unlike times, they are the same on a busy machine. */
export interface PageCounter {
  begin(): Promise<void>;
  /** Not a number on SQLite, which does not count them. */
  sinceBegin(): Promise<number>;
  close(): Promise<void>;
}

const COUNTED = `SELECT sum(shared_blks_hit + shared_blks_read)::float AS pages FROM counting.pg_stat_statements
  WHERE query NOT LIKE '%pg_stat_statements%'`;

export async function openPages(): Promise<PageCounter> {
  if (!env.DATABASE_URL) return { begin: async () => {}, sinceBegin: async () => Number.NaN, close: async () => {} };
  const client = new Client(env.DATABASE_URL);
  await client.connect();
  await client.query("CREATE SCHEMA counting; CREATE EXTENSION pg_stat_statements SCHEMA counting");
  return {
    begin: async () => void (await client.query("SELECT counting.pg_stat_statements_reset()")),
    sinceBegin: async () => Number((await client.query(COUNTED)).rows[0]?.pages ?? 0),
    close: () => client.end(),
  };
}
