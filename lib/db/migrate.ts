import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory, type SqlMigrationAwareDriverAdapterFactory } from "@prisma/driver-adapter-utils";
import type { MigrationList, SchemaEngine } from "@prisma/schema-engine-wasm";
import Database from "better-sqlite3";
import { env } from "@/lib/env";
import { sqliteFile } from "./client";
import { inOneTransaction } from "./migrating-transaction";
import { APPLIED_MIGRATIONS, migrationNames, migrationsFolder, type Provider } from "./migrations";
import { sessionConfig } from "./postgres";
import { sqlite } from "./sqlite";

const NO_FILTERS = { externalTables: [], externalEnums: [] };

/**
 * Brings the configured database up to the newest migration and answers the names of those applied now. The engine is
 * Prisma's own, from its npm package instead of a downloaded binary; it writes the rows that `prisma migrate deploy` writes.
 */
export async function migrate(): Promise<string[]> {
  if (env.DATABASE_URL) return applyTo("postgresql", new PrismaPg(sessionConfig()));
  const file = sqliteFile();
  return withLockFile(`${file}.migrating`, () => applyTo("sqlite", sqlite(file)));
}

/**
 * Applies the migrations of `provider`, or those named, to the database behind `adapter`. On PostgreSQL all of it is one transaction. Throws an Error
 * whose message says what to do where a newer version has migrated the database.
 */
export async function applyTo(provider: Provider, adapter: SqlMigrationAwareDriverAdapterFactory, names = migrationNames(provider)): Promise<string[]> {
  if (await hasAll(names, adapter)) return [];
  return withEngine(provider, provider === "postgresql" ? inOneTransaction(adapter) : adapter, async (engine) => {
    const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList: migrationList(provider, names), filters: NO_FILTERS });
    return appliedMigrationNames;
  });
}

/** A newer version has migrated the database, and who knows what it stores there. */
class NewerDatabase extends Error {
  constructor(migrations: string) {
    super(`The database was migrated by a newer version of Latchkey (${migrations}): start that version, or restore a backup that this version made.`);
  }
}

/** Whether there is nothing to apply. Found out without the engine, whose loading takes six times as long and 40 MB. */
async function hasAll(names: string[], adapter: SqlMigrationAwareDriverAdapterFactory): Promise<boolean> {
  const connection = await adapter.connect();
  try {
    const { rows } = await connection.queryRaw({ sql: APPLIED_MIGRATIONS, args: [], argTypes: [] });
    const applied = new Set(rows.map(([name]) => name));
    const unknown = [...applied].filter((name) => !migrationNames(adapter.provider === "sqlite" ? "sqlite" : "postgresql").includes(String(name)));
    if (unknown.length > 0) throw new NewerDatabase(unknown.join(", "));
    return names.every((name) => applied.has(name));
  } catch (error) {
    if (error instanceof NewerDatabase) throw error;
    // Most likely there is no such table yet. Whatever else it is, the engine will say.
    return false;
  } finally {
    await connection.dispose();
  }
}

/** The SQL that leads from the schema of the database behind `adapter` to the models in prisma/; empty when there is no difference. */
export function difference(provider: Provider, adapter: SqlMigrationAwareDriverAdapterFactory): Promise<string> {
  return withEngine(provider, adapter, async (engine) => {
    const files = [models(provider)];
    const { stdout } = await engine.diff({
      from: { tag: "schemaDatasource", files, configDir: resolve("prisma") },
      to: { tag: "schemaDatamodel", files },
      script: true,
      exitCode: null,
      filters: NO_FILTERS,
    });
    const sql = stdout?.trim() ?? "";
    return sql.startsWith("-- This is an empty migration") ? "" : sql;
  });
}

function models(provider: Provider) {
  const path = provider === "sqlite" ? "prisma/generated/sqlite.prisma" : "prisma/schema.prisma";
  return { path, content: readFileSync(path, "utf8") };
}

function migrationList(provider: Provider, names: string[]): MigrationList {
  const baseDir = migrationsFolder(provider);
  return {
    baseDir,
    lockfile: { path: "migration_lock.toml", content: readFileSync(join(baseDir, "migration_lock.toml"), "utf8") },
    shadowDbInitScript: "",
    migrationDirectories: names.map((path) => ({
      path,
      migrationFile: { path: "migration.sql", content: { tag: "ok", value: readFileSync(join(baseDir, path, "migration.sql"), "utf8") } },
    })),
  };
}

/** Runs `work` with an engine on one connection and closes that after it: the engine leaves SQLite in exclusive locking mode. */
async function withEngine<T>(provider: Provider, adapter: SqlMigrationAwareDriverAdapterFactory, work: (engine: SchemaEngine) => Promise<T>): Promise<T> {
  perProcess.latchkeySchemaEngine ??= loadEngine();
  const { path, content } = models(provider);
  const connection = await adapter.connect();
  const factory = {
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    connect: async () => connection,
    connectToShadowDb: () => adapter.connectToShadowDb(),
  };
  try {
    const engine = await (await perProcess.latchkeySchemaEngine).new({ datamodels: [[path, content]] }, () => {}, bindMigrationAwareSqlAdapterFactory(factory));
    try {
      return await work(engine);
    } finally {
      engine.free();
    }
  } finally {
    await connection.dispose();
  }
}

/** Once per process, not per copy of this module: the glue code keeps views of the memory of one instance. */
const perProcess = globalThis as typeof globalThis & { latchkeySchemaEngine?: Promise<typeof SchemaEngine> };

/**
 * Loads the WebAssembly engine. Its package expects a bundler to import the .wasm file; Node needs these lines instead. It is looked for from a folder:
 * naming package.json would have it packed into functions, where it makes modules of what the build wrote as scripts.
 */
async function loadEngine(): Promise<typeof SchemaEngine> {
  const gluePath = createRequire(`${process.cwd()}/`).resolve("@prisma/schema-engine-wasm/schema_engine_bg");
  const glue = await import(/* turbopackIgnore: true */ /* @vite-ignore */ pathToFileURL(gluePath).href);
  const wasm = new WebAssembly.Module(readFileSync(join(dirname(gluePath), "schema_engine_bg.wasm")));
  const { exports } = new WebAssembly.Instance(wasm, { "./schema_engine_bg.js": { ...glue, ...unrefTimers(glue) } });
  glue.__wbg_set_wasm(exports);
  (exports.__wbindgen_start as () => void)();
  return glue.SchemaEngine;
}

/** The engine forgets the timer of its lock on PostgreSQL, which would keep a process alive for 10 s after its work. */
function unrefTimers(glue: object) {
  const names = Object.keys(glue).filter((name) => name.startsWith("__wbg_setTimeout_"));
  return Object.fromEntries(names.map((name) => [name, (callback: () => void, ms: number) => setTimeout(callback, ms >>> 0).unref()]));
}

/**
 * The engine does not know the SQLite adapter's busy error, so two processes must not migrate one file at once. The lock is
 * an open transaction on a small SQLite file beside it: the operating system frees it when its owner dies.
 */
async function withLockFile<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = new Database(path, { timeout: 0 });
  try {
    for (;;) {
      try {
        lock.exec("BEGIN EXCLUSIVE");
        break;
      } catch (error) {
        if (!(error as { code?: string }).code?.startsWith("SQLITE_BUSY")) throw error;
        await sleep(50);
      }
    }
    return await work();
  } finally {
    lock.close();
  }
}
