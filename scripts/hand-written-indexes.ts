import type { ScratchDatabase } from "./scratch-database";

/** An index that Prisma's models cannot state, because of an expression, a condition or a collation. */
export interface HandWrittenIndex {
  name: string;
  /** The statement that creates it. */
  definition: string;
  /** What both databases must have alike, for people: name, table, columns in their order, uniqueness, a condition. */
  summary: string;
}

/** The indexes of a database that are written by hand. The engine does not see them, and a rebuilt table loses them. */
export async function handWrittenIndexes(database: ScratchDatabase): Promise<HandWrittenIndex[]> {
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
