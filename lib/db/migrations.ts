import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { env } from "@/lib/env";
import { db } from "./client";

export type Provider = "sqlite" | "postgresql";

/** The configured database: one of the two. */
export const configuredProvider = (): Provider => (env.DATABASE_URL ? "postgresql" : "sqlite");

export function migrationsFolder(provider: Provider): string {
  return resolve("prisma/migrations", provider);
}

/** The names of all migrations, in the order in which they are applied. */
export function migrationNames(provider: Provider): string[] {
  return readdirSync(migrationsFolder(provider), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/** Selects the names of the migrations that were applied completely. */
export const APPLIED_MIGRATIONS = `SELECT "migration_name" FROM "_prisma_migrations" WHERE "finished_at" IS NOT NULL
  AND "rolled_back_at" IS NULL`;

/** The migrations that the configured database lacks. Throws if it does not respond or was never migrated. */
export async function pendingMigrations(): Promise<string[]> {
  const rows = await db.$queryRawUnsafe<{ migration_name: string }[]>(APPLIED_MIGRATIONS);
  const applied = new Set(rows.map((row) => row.migration_name));
  return migrationNames(configuredProvider()).filter((name) => !applied.has(name));
}
