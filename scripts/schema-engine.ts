import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from "@prisma/driver-adapter-utils";
import type { SchemaEngine } from "@prisma/schema-engine-wasm";
import type { Provider } from "@/lib/platform/db/migrate";

const NO_FILTERS = { externalTables: [], externalEnums: [] };

/**
 * The SQL that leads from the schema of the database behind `adapter` to the models in prisma/; empty if they match.
 * The engine is Prisma's own, from its npm package instead of a downloaded binary.
 */
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

/**
 * Runs `work` with an engine on one connection, and closes it afterwards: the engine leaves SQLite in exclusive locking
 * mode.
 */
async function withEngine<T>(
  provider: Provider,
  adapter: SqlMigrationAwareDriverAdapterFactory,
  work: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  loading ??= loadEngine();
  const { path, content } = models(provider);
  const connection = await adapter.connect();
  const factory = {
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    connect: async () => connection,
    connectToShadowDb: () => adapter.connectToShadowDb(),
  };
  try {
    const engine = await (await loading).new(
      { datamodels: [[path, content]] },
      () => {},
      bindMigrationAwareSqlAdapterFactory(factory),
    );
    try {
      return await work(engine);
    } finally {
      engine.free();
    }
  } finally {
    await connection.dispose();
  }
}

/** Loaded once: the glue code keeps views of the memory of one instance. */
let loading: Promise<typeof SchemaEngine> | undefined;

/**
 * Loads the WebAssembly engine. Its package expects a bundler to import the .wasm file; Node needs these lines instead.
 */
async function loadEngine(): Promise<typeof SchemaEngine> {
  const gluePath = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg");
  const glue = await import(pathToFileURL(gluePath).href);
  const wasm = new WebAssembly.Module(readFileSync(join(dirname(gluePath), "schema_engine_bg.wasm")));
  const { exports } = new WebAssembly.Instance(wasm, { "./schema_engine_bg.js": { ...glue, ...unrefTimers(glue) } });
  glue.__wbg_set_wasm(exports);
  (exports.__wbindgen_start as () => void)();
  return glue.SchemaEngine;
}

/** The engine forgets the timer of its lock on PostgreSQL, which would keep a process alive for 10 s after its work. */
function unrefTimers(glue: object) {
  const names = Object.keys(glue).filter((name) => name.startsWith("__wbg_setTimeout_"));
  return Object.fromEntries(
    names.map((name) => [name, (callback: () => void, ms: number) => setTimeout(callback, ms >>> 0).unref()]),
  );
}
