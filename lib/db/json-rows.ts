import { env } from "@/lib/env";
import { Prisma } from "@/prisma/generated/sqlite/client";

/**
 * Many rows in one parameter, to be selected from as `"row"`: their values are `"row"->>0`, `"row"->>1` and so on, to be
 * cast. A statement with a parameter for each value would be another one for each number of rows.
 */
export function jsonRows(rows: readonly (readonly unknown[])[]): Prisma.Sql {
  const json = JSON.stringify(rows);
  return env.DATABASE_URL
    ? Prisma.sql`(SELECT value AS "row" FROM json_array_elements(${json}::json)) AS "rows"`
    : Prisma.sql`(SELECT value AS "row" FROM json_each(${json})) AS "rows"`;
}
