import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tables } from "@/prisma/generated/tables";
import { db } from "./client";
import { configuredProvider, migrationNames, migrationsFolder, type Provider } from "./migrate";

const PRESENT = {
  sqlite: {
    columns: `SELECT t."name" AS "in", c."name" AS "name" FROM sqlite_master t JOIN pragma_table_info(t."name") c`,
    indexes: `SELECT "name" FROM sqlite_master WHERE "type" = 'index'`,
  },
  postgresql: {
    columns: `SELECT table_name::text AS "in", column_name::text AS "name" FROM information_schema.columns
      WHERE table_schema = current_schema()`,
    indexes: `SELECT indexname::text AS "name" FROM pg_indexes WHERE schemaname = current_schema()`,
  },
};

/** The columns, as "table.column", that the database lacks, because a person has renamed or dropped them. */
export async function missingColumns(): Promise<string[]> {
  const rows = await db.$queryRawUnsafe<{ in: string; name: string }[]>(PRESENT[configuredProvider()].columns);
  const present = new Set(rows.map((row) => `${row.in}.${row.name}`));
  const all = tables.flatMap((table) => table.columns.map(({ name }) => `${table.name}.${name}`));
  return all.filter((name) => !present.has(name));
}

/** The indexes that it lacks, each with the statement that creates it. */
export async function missingIndexes(): Promise<{ name: string; statement: string }[]> {
  const provider = configuredProvider();
  const rows = await db.$queryRawUnsafe<{ name: string }[]>(PRESENT[provider].indexes);
  const present = new Set(rows.map(({ name }) => name));
  return [...expectedIndexes(provider)].flatMap(([name, statement]) => (present.has(name) ? [] : { name, statement }));
}

/** The indexes that the migrations leave, by name, with the statement that creates each. */
function expectedIndexes(provider: Provider): Map<string, string> {
  const expected = new Map<string, { table: string; statement: string }>();
  for (const migration of migrationNames(provider)) {
    const text = readFileSync(join(migrationsFolder(provider), migration, "migration.sql"), "utf8").replace(
      /--.*/g,
      "",
    );
    for (const part of text.split(";")) {
      const statement = part.trim().replace(/\s+/g, " ");
      const [, name, table] = /^CREATE (?:UNIQUE )?INDEX (?:IF NOT EXISTS )?"(\w+)" ON "(\w+)"/.exec(statement) ?? [];
      if (name && table) expected.set(name, { table, statement });
      const [, index] = /^DROP INDEX (?:IF EXISTS )?"(\w+)"/.exec(statement) ?? [];
      if (index) expected.delete(index);
      const [, dropped] = /^DROP TABLE (?:IF EXISTS )?"(\w+)"/.exec(statement) ?? [];
      for (const [one, { table: of }] of expected) if (of === dropped) expected.delete(one);
    }
  }
  return new Map([...expected].map(([name, { statement }]) => [name, statement]));
}
