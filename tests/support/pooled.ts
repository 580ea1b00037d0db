import { inject } from "vitest";
import { startPgBouncer } from "@/scripts/pgbouncer";
import type { ScratchServer } from "@/scripts/scratch-server";

/** A PgBouncer in transaction mode in front of this test file's database, with `size` connections to it. */
export function startPooler(size: number): Promise<ScratchServer> {
  const database = inject("database");
  if (database.kind !== "postgresql" || !process.env.DATABASE_URL) throw new Error("this test is for PostgreSQL");
  return startPgBouncer(process.env.DATABASE_URL, size);
}
