import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tables } from "@/prisma/generated/tables";
import { db } from "./client";
import { configuredProvider, migrationNames, migrationsFolder, type Provider } from "./migrate";

const PRESENT = {
  sqlite: {
    columns: `SELECT t."name" AS "in", c."name" AS "name", c."type" AS "type"
      FROM sqlite_master t JOIN pragma_table_info(t."name") c`,
    indexes: `SELECT i."name" AS "name", i."unique" AS "isUnique", 1 AS "isValid"
      FROM sqlite_master t JOIN pragma_index_list(t."name") i WHERE t."type" = 'table'`,
  },
  postgresql: {
    columns: `SELECT c.relname::text AS "in", a.attname::text AS "name", format_type(a.atttypid, a.atttypmod) AS "type"
      FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = current_schema() AND a.attnum > 0 AND NOT a.attisdropped`,
    indexes: `SELECT c.relname::text AS "name", i.indisunique AS "isUnique", i.indisvalid AS "isValid"
      FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = current_schema()`,
  },
};

/** The types that Prisma gives to columns of each kind. */
const TYPES: Record<Provider, Record<string, string>> = {
  sqlite: {
    BigInt: "BIGINT",
    Boolean: "BOOLEAN",
    Bytes: "BLOB",
    DateTime: "DATETIME",
    Int: "INTEGER",
    String: "TEXT",
  },
  postgresql: {
    BigInt: "bigint",
    Boolean: "boolean",
    Bytes: "bytea",
    DateTime: "timestamp(3) without time zone",
    Int: "integer",
    String: "text",
  },
};

/**
 * The columns that the database lacks or has with another type, because a person has changed them: as "table.column",
 * and in the second case " of the type" that the migrations give it.
 */
export async function missingColumns(): Promise<string[]> {
  const provider = configuredProvider();
  const rows = await db.$queryRawUnsafe<{ in: string; name: string; type: string }[]>(PRESENT[provider].columns);
  const present = new Map(rows.map((row) => [`${row.in}.${row.name}`, row.type]));
  return tables.flatMap((table) =>
    table.columns.flatMap(({ name, kind, isCounted }) => {
      const column = `${table.name}.${name}`;
      // In SQLite, only an INTEGER can count.
      const expected = TYPES[provider][isCounted && provider === "sqlite" ? "Int" : kind];
      const type = present.get(column);
      if (type === undefined) return column;
      return type === expected ? [] : `${column} of the type ${expected}`;
    }),
  );
}

interface Index {
  name: string;
  isUnique: boolean | number | bigint;
  /** False after a failed CREATE INDEX CONCURRENTLY: it serves no statement. */
  isValid: boolean | number | bigint;
}

/** The indexes that it lacks or has in another form, as said in the name, each with the statements that create it. */
export async function missingIndexes(): Promise<{ name: string; statement: string }[]> {
  const provider = configuredProvider();
  const rows = await db.$queryRawUnsafe<Index[]>(PRESENT[provider].indexes);
  const present = new Map(rows.map((row) => [row.name, row]));
  return [...expectedIndexes(provider)].flatMap(([name, statement]) => {
    const index = present.get(name);
    if (!index) return { name, statement };
    if (index.isValid && Boolean(index.isUnique) === statement.startsWith("CREATE UNIQUE")) return [];
    return { name: `${name} as the migrations create it`, statement: `DROP INDEX "${name}"; ${statement}` };
  });
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
