import { Prisma } from "@/lib/db/client";

/** Whether one of the columns contains the search text, ignoring case as far as the database supports it. */
export function contains(search: string, columns: Prisma.Sql[]): Prisma.Sql {
  const pattern = `%${search.replace(/[!%_]/g, "!$&")}%`;
  return Prisma.sql`(${Prisma.join(
    columns.map((column) => Prisma.sql`lower(${column}) LIKE lower(${pattern}) ESCAPE '!'`),
    " OR ",
  )})`;
}

/** The search text as the databases accept it. */
export function readSearch(typed: string): string {
  return typed.replace(/\0/g, "").toWellFormed().trim().slice(0, 100);
}

/** The number of an existing page: the requested one, or the last. */
export function readPage(asked: string, total: number, size: number): number {
  const last = Math.max(1, Math.ceil(total / size));
  return /^[1-9]\d{0,5}$/.test(asked) ? Math.min(Number(asked), last) : 1;
}
