import { env } from "@/lib/env";
import { Prisma } from "@/prisma/generated/sqlite/client";

/**
 * Many rows in one parameter, to be selected from as `"row"`. Their values are `"row"->>0`, `"row"->>1` and so on, to
 * be cast. With one parameter per value, each number of rows would be a different statement.
 */
export function jsonRows(rows: readonly (readonly unknown[])[]): Prisma.Sql {
  const json = JSON.stringify(rows);
  return env.DATABASE_URL
    ? Prisma.sql`(SELECT value AS "row" FROM json_array_elements(${json}::json)) AS "rows"`
    : Prisma.sql`(SELECT value AS "row" FROM json_each(${json})) AS "rows"`;
}
