import { createHash, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import Database from "better-sqlite3";
import manifest from "@/package.json";
import { env } from "../env";
import { db, sqliteFile } from "./client";
import type { SessionConfig } from "./postgres-session";
import { makeSpaceToOpen } from "./reserve";
import { atConnect, whileBusy } from "./sqlite";

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

/** What a database was before it was migrated, and the names of the migrations that were applied. */
export interface Migrated {
  /** The version that migrated it last; null if it was new. */
  from: string | null;
  applied: string[];
}

/** Versions before 1.0.0 did not say which they were. */
const UNKNOWN_VERSION = "a version before 1.0.0";

interface Refusal {
  problem: string;
  advice: string;
}

export interface MigrationState {
  /** The version that migrated the database last; null if nothing has. */
  by: string | null;
  /** The migrations that it lacks. */
  pending: string[];
  /** Set if this version cannot use it. */
  refusal?: Refusal;
}

/** What the configured database says of its migrations. Throws if it does not respond or was never migrated. */
export async function migrationState(): Promise<MigrationState> {
  const provider = configuredProvider();
  return stateOf(await db.$queryRawUnsafe<Begun[]>(BEGUN_MIGRATIONS), provider, migrationNames(provider));
}

function stateOf(begun: Begun[], provider: Provider, names: string[]): MigrationState {
  const applied = new Set(begun.flatMap(({ name, isComplete }) => (isComplete ? [name] : [])));
  const existing = migrationNames(provider);
  const [first = ""] = existing;
  const half = begun.find(({ isComplete }) => !isComplete);
  const newer = begun.filter(({ name }) => name > first && !existing.includes(name));
  return {
    by: versionOf(begun),
    pending: names.filter((name) => !applied.has(name)),
    ...(begun.length > 0 && !applied.has(first) && { refusal: REFUSAL_OF_OLDER }),
    ...(newer.length > 0 && { refusal: refusalOfNewer(newer) }),
    ...(half && { refusal: refusalOfHalf(half) }),
  };
}

function versionOf(begun: Begun[]): string | null {
  const last = begun.toSorted((one, other) => (one.name < other.name ? -1 : 1)).at(-1);
  return last ? (/^\d+\.\d+\.\d+$/.exec(last.version ?? "")?.[0] ?? UNKNOWN_VERSION) : null;
}

/** For a database without the first migration: that is what 1.0.0 left. */
const REFUSAL_OF_OLDER: Refusal = {
  problem: "The database was migrated by a version before 1.0.0, which this version cannot upgrade.",
  advice: "Start 1.0.0 once, which upgrades it, and then this version.",
};

const refusalOfHalf = ({ name }: Begun): Refusal => ({
  problem: `The migration ${name} was interrupted and left the database in a partial state.`,
  advice: "Restore a backup.",
});

/** For migrations that this version does not have. */
function refusalOfNewer(newer: Begun[]): Refusal {
  const version = versionOf(newer);
  const [by, it] =
    version === UNKNOWN_VERSION ? ["a newer version of Latchkey", "that version"] : [`Latchkey ${version}`, version];
  const names = newer.map(({ name }) => name).join(", ");
  return {
    problem: `The database was migrated by ${by} (${names}), and this is the older ${manifest.version}.`,
    advice: `Start ${it} or a later one, or restore a backup that ${manifest.version} created.`,
  };
}

/** How long to wait for another process that holds the embedded database. */
const PATIENCE_MS = 60_000;
/** The same lock as that of `prisma migrate deploy`. */
const LOCK = "SELECT pg_advisory_xact_lock(72707369)";

/**
 * Migrates the configured database to the newest migration. Throws an Error whose message says what to do if a newer
 * version has migrated the database.
 */
export async function migrate(): Promise<Migrated> {
  if (!env.DATABASE_URL) return migrateSqlite(sqliteFile());
  const { sessionConfig } = await import("./postgres-session");
  return migratePostgres(sessionConfig());
}

/** A migration, whether it was applied completely, and by which version. */
interface Begun {
  name: string;
  isComplete: boolean | number;
  version: string | null;
}

/** What each database provides in the transaction that migrates it. */
interface Migrating {
  /** Its migrations; undefined if the table of migrations is missing. */
  begun(): Promise<Begun[] | undefined>;
  /** Whether it has any tables. */
  hasTables(): Promise<boolean>;
  run(script: string): Promise<void>;
  note(row: { id: string; checksum: string; name: string }): Promise<void>;
}

/**
 * Applies migrations to a SQLite file, which is created if missing. All of them run in one transaction, whose lock
 * makes other processes wait: a crash in the middle leaves nothing behind.
 */
export async function migrateSqlite(file: string, names = migrationNames("sqlite")): Promise<Migrated> {
  makeSpaceToOpen(file);
  const database = new Database(file, { timeout: 0 });
  const migrating: Migrating = {
    async begun() {
      const [table] = database.prepare("SELECT 1 FROM sqlite_master WHERE name = '_prisma_migrations'").all();
      if (!table) return undefined;
      return database.prepare<[], Begun>(BEGUN_MIGRATIONS).all();
    },
    hasTables: async () =>
      database
        .prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
        .all().length > 0,
    run: async (script) => void database.exec(script),
    note: async ({ id, checksum, name }) =>
      void database
        .prepare(
          `INSERT INTO "_prisma_migrations"
             ("id", "checksum", "migration_name", "logs", "started_at", "finished_at", "applied_steps_count")
           VALUES (?, ?, ?, ?, ?, ?, 1)`,
        )
        .run(id, checksum, name, manifest.version, Date.now(), Date.now()),
  };
  try {
    // Recreating a table would delete the rows that refer to it.
    await whileLocked(async () =>
      database.exec(`PRAGMA journal_mode=WAL; ${atConnect(file)} PRAGMA foreign_keys=OFF;`),
    );
    const { by, pending } = await whileLocked(() => usableState(migrating, "sqlite", names));
    if (pending.length === 0) return { from: by, applied: [] };
    await whileLocked(async () => database.exec("BEGIN IMMEDIATE"));
    const orphans = () => database.prepare<[], { table: string }>("PRAGMA foreign_key_check").all();
    // Other tools may have created some: the doctor lists those.
    const before = orphans().length;
    const done = await applyMissing(migrating, "sqlite", names);
    const left = orphans();
    if (left.length > before) throw new Error(`A migration left orphaned rows in ${left.at(-1)?.table}.`);
    database.exec("COMMIT");
    return done;
  } finally {
    database.close();
  }
}

/**
 * Applies migrations to PostgreSQL in one transaction that holds the lock: behind a pooler, only a transaction keeps
 * its connection. So no migration may use what a transaction cannot run, such as CREATE INDEX CONCURRENTLY.
 */
export async function migratePostgres(config: SessionConfig, names = migrationNames("postgresql")): Promise<Migrated> {
  const { connectDirectly } = await import("./postgres-session");
  const { client, schema } = await connectDirectly(config);
  const exists = async (table: string) =>
    (await client.query("SELECT 1 FROM pg_tables WHERE schemaname = $1 AND tablename LIKE $2 LIMIT 1", [schema, table]))
      .rows.length > 0;
  const migrating: Migrating = {
    async begun() {
      if (!(await exists("\\_prisma\\_migrations"))) return undefined;
      return (await client.query<Begun>(BEGUN_MIGRATIONS)).rows;
    },
    hasTables: () => exists("%"),
    run: async (script) => void (await client.query(script)),
    note: async ({ id, checksum, name }) =>
      void (await client.query(
        `INSERT INTO "_prisma_migrations"
           ("id", "checksum", "migration_name", "logs", "finished_at", "applied_steps_count")
         VALUES ($1, $2, $3, $4, clock_timestamp(), 1)`,
        [id, checksum, name, manifest.version],
      )),
  };
  try {
    const { by, pending } = await usableState(migrating, "postgresql", names);
    if (pending.length === 0) return { from: by, applied: [] };
    await client.query("BEGIN");
    await client.query(LOCK);
    // Creating it is a right of its own, also where it exists.
    if ((await client.query("SELECT 1 FROM pg_namespace WHERE nspname = $1", [schema])).rows.length === 0)
      await client.query(`CREATE SCHEMA ${client.escapeIdentifier(schema)}`);
    await client.query(`SET LOCAL search_path TO ${client.escapeIdentifier(schema)}`);
    const done = await applyMissing(migrating, "postgresql", names);
    await client.query("COMMIT");
    return done;
  } finally {
    await client.end();
  }
}

/** Throws if this version cannot use the database. */
async function usableState(migrating: Migrating, provider: Provider, names: string[]): Promise<MigrationState> {
  // In this order: tables that another process has just created were committed together with its list of migrations.
  const hasTables = await migrating.hasTables();
  const begun = await migrating.begun();
  if (begun === undefined && hasTables)
    throw new Error(
      "The database has tables, but not Latchkey's: it is another program's. Set DATABASE_URL to an empty database.",
    );
  const state = stateOf(begun ?? [], provider, names);
  if (state.refusal) throw new Error(`${state.refusal.problem} ${state.refusal.advice}`);
  return state;
}

/** Another process may have applied them since they were listed as missing. */
async function applyMissing(migrating: Migrating, provider: Provider, names: string[]): Promise<Migrated> {
  const { by, pending } = await usableState(migrating, provider, names);
  if ((await migrating.begun()) === undefined) await migrating.run(TABLE[provider]);
  for (const name of pending) {
    const script = readFileSync(join(migrationsFolder(provider), name, "migration.sql"), "utf8");
    await migrating.run(script);
    await migrating.note({ id: randomUUID(), checksum: createHash("sha256").update(script).digest("hex"), name });
  }
  return { from: by, applied: pending };
}

const whileLocked = <T>(work: () => Promise<T>) => whileBusy(work, PATIENCE_MS);

/** Migrations rolled back by `prisma migrate resolve` count as never begun. */
const BEGUN_MIGRATIONS = `SELECT "migration_name" AS "name", "finished_at" IS NOT NULL AS "isComplete",
  "logs" AS "version" FROM "_prisma_migrations" WHERE "rolled_back_at" IS NULL`;

/** As Prisma creates it, so that `prisma migrate` can read and continue it. */
const TABLE: Record<Provider, string> = {
  sqlite: `CREATE TABLE "_prisma_migrations" (
    "id" TEXT PRIMARY KEY NOT NULL, "checksum" TEXT NOT NULL, "finished_at" DATETIME, "migration_name" TEXT NOT NULL,
    "logs" TEXT, "rolled_back_at" DATETIME, "started_at" DATETIME NOT NULL DEFAULT current_timestamp,
    "applied_steps_count" INTEGER UNSIGNED NOT NULL DEFAULT 0)`,
  postgresql: `CREATE TABLE "_prisma_migrations" (
    "id" VARCHAR(36) PRIMARY KEY NOT NULL, "checksum" VARCHAR(64) NOT NULL, "finished_at" TIMESTAMPTZ,
    "migration_name" VARCHAR(255) NOT NULL, "logs" TEXT, "rolled_back_at" TIMESTAMPTZ,
    "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(), "applied_steps_count" INTEGER NOT NULL DEFAULT 0)`,
};
