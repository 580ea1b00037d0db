// npm run db:migration <name>: writes the migrations of both databases that lead to prisma/schema.prisma
// npm run db:check: fails if the migrations of either database do not lead to it, or their indexes differ

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { migrationsFolder } from "@/lib/platform/db/migrate";
import { onScratchDatabase, type ScratchDatabase } from "./scratch-database";

/** An index that Prisma's models cannot state, because of an expression, a condition or a collation. */
interface HandWrittenIndex {
  name: string;
  /** The statement that creates it. */
  definition: string;
  /** What both databases must have alike, for people: name, table, columns in their order, uniqueness, a condition. */
  summary: string;
}

/** The indexes of a database that are written by hand. The engine does not see them, and a rebuilt table loses them. */
async function handWrittenIndexes(database: ScratchDatabase): Promise<HandWrittenIndex[]> {
  const rows = await database.rows<CatalogueRow>(CATALOGUE[database.provider]);
  return rows
    .filter(({ definition }) => !COLUMNS_ONLY.test(definition))
    .map(({ name, table, definition, columns }) => {
      const declared = new Set(columns.split(","));
      const used = definition
        .slice(definition.indexOf("("))
        .match(/\w+/g)
        ?.filter((word) => declared.has(word));
      const unique = /^CREATE UNIQUE /.test(definition) ? "unique " : "";
      const condition = / WHERE /.test(definition) ? ", with a condition" : "";
      return { name, definition, summary: `${unique}"${name}" on "${table}" (${used?.join(", ")}${condition})` };
    });
}

interface CatalogueRow {
  name: string;
  table: string;
  definition: string;
  /** The names of the table's columns, separated by commas. */
  columns: string;
}

const CATALOGUE = {
  sqlite: `SELECT "name", "tbl_name" AS "table", "sql" AS "definition",
      (SELECT group_concat("name") FROM pragma_table_info("tbl_name")) AS "columns"
    FROM "sqlite_master" WHERE "type" = 'index' AND "sql" IS NOT NULL ORDER BY "name"`,
  postgresql: `SELECT "indexname" AS "name", "tablename" AS "table", "indexdef" AS "definition",
      (SELECT string_agg("column_name", ',') FROM "information_schema"."columns"
        WHERE "table_schema" = "schemaname" AND "table_name" = "tablename") AS "columns"
    FROM "pg_indexes" WHERE "schemaname" = current_schema() ORDER BY "indexname" COLLATE "C"`,
};

/** What the models can state: columns, and nothing else, to the end of the statement. */
const COLUMNS_ONLY = /\((?:"?\w+"?(?: (?:ASC|DESC))?(?:, ?)?)+\)$/;

const PROVIDERS = ["sqlite", "postgresql"] as const;
const NOTHING =
  "-- Nothing to do here. A backup names its migrations, and is restored into either database, so both " +
  "have the same ones.";

/** The migration that leads to the models and keeps the indexes that are written by hand; empty if they match. */
async function migrationOn(database: ScratchDatabase): Promise<string> {
  const before = await handWrittenIndexes(database);
  const parts: string[] = [];
  const then = async (sql: string) => {
    if (!sql) return;
    await database.run(sql);
    parts.push(sql);
  };
  if (database.provider === "sqlite") await then(await addedColumns(database));
  await then(await database.difference());
  const left = new Set((await handWrittenIndexes(database)).map(({ definition }) => definition));
  for (const { name, definition, summary } of before) {
    if (left.has(definition)) continue;
    await then(`-- CreateIndex\n${definition};`).catch((error: Error) => {
      throw new Error(
        `${database.provider}: this change would lose the index ${summary}, which was written by hand ` +
          `(${error.message}). If it is to go, first write a migration of both databases: DROP INDEX "${name}";`,
      );
    });
  }
  return parts.join("\n\n");
}

/** Prisma rebuilds a table for a new column with a default. These statements add what SQLite can add instead. */
async function addedColumns(database: ScratchDatabase): Promise<string> {
  const existing = await database.rows<{ table: string; column: string }>(
    `SELECT t."name" AS "table", c."name" AS "column" FROM "sqlite_master" t JOIN pragma_table_info(t."name") c`,
  );
  const added: string[] = [];
  const script = await database.difference();
  for (const [, table = "", body = ""] of script.matchAll(/^CREATE TABLE "new_(\w+)" \(\n(.*?)\n\);$/gms)) {
    for (const [, column = "", type = ""] of body.matchAll(/^ {4}"(\w+)" (.*?),?$/gm)) {
      if (existing.some((its) => its.table === table && its.column === column) || !canBeAdded(type)) continue;
      added.push(`ALTER TABLE "${table}" ADD COLUMN "${column}" ${type};`);
    }
  }
  return added.length > 0 ? `-- AlterTable\n${added.join("\n")}` : "";
}

/** To rows that exist, SQLite adds a column that may be null, or has a constant default. */
function canBeAdded(type: string): boolean {
  const [, value] = / DEFAULT (.*)$/.exec(type) ?? [];
  return value === undefined ? !type.includes(" NOT NULL") : !/^(?:CURRENT_|\()/.test(value);
}

async function create(name: string): Promise<void> {
  const scripts: string[] = [];
  for (const provider of PROVIDERS) scripts.push(await onScratchDatabase(provider, migrationOn));
  if (scripts.every((sql) => !sql)) return console.log("The migrations match the models.");
  const stamp = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
  PROVIDERS.forEach((provider, index) => {
    const folder = join(migrationsFolder(provider), `${stamp}_${name}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "migration.sql"), `${scripts[index] || NOTHING}\n`);
    console.log(`${provider}: wrote ${folder}`);
  });
}

/** What is wrong with the migrations: a text for each fault. */
async function faults(): Promise<string[]> {
  const differences: string[] = [];
  const indexes: string[][] = [];
  for (const provider of PROVIDERS) {
    await onScratchDatabase(provider, async (database) => {
      const sql = await database.difference();
      if (sql)
        differences.push(`${provider}: the migrations lack this; create it with npm run db:migration <name>:\n${sql}`);
      indexes.push((await handWrittenIndexes(database)).map(({ summary }) => summary));
    });
  }
  PROVIDERS.forEach((provider, its) => {
    for (const summary of indexes[its] ?? [])
      if (!indexes[1 - its]?.includes(summary))
        differences.push(`${provider}: its migrations alone create the index ${summary}.`);
  });
  return differences;
}

const [command, name = ""] = process.argv.slice(2);
if (command === "create" && /^[a-z0-9_]+$/.test(name)) {
  await create(name).catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
} else if (command === "check") {
  const differences = await faults();
  if (differences.length === 0) console.log("The migrations match the models, and each other's indexes.");
  for (const fault of differences) console.error(fault);
  process.exitCode = differences.length > 0 ? 1 : 0;
} else {
  console.error("Usage: npm run db:migration <name in lower_case> | npm run db:check");
  process.exitCode = 2;
}
