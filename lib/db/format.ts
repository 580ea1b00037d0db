import { unavailable } from "@/lib/errors";
import { log } from "@/lib/log";
import { perProcess } from "@/lib/per-process";
import { sql } from "./client";
import { integer, rowShape } from "./statement";

/**
 * How this version reads and writes what is stored. A migration that gives stored values another meaning raises the
 * number in the table `Format`, and this one with it; and it renames the column, so that statements of a process that
 * has not noticed yet fail, instead of reading or writing the wrong thing.
 */
const FORMAT = 1;

/** The database's number as a column of a statement. */
export const FORMAT_NUMBER = '(SELECT max(f."number") FROM "Format" f)';

const latest = perProcess("format", () => ({ number: FORMAT }));

const format = rowShape({}, { number: integer(FORMAT_NUMBER) });
/** The row of the format alone. */
export const formatOfDatabase = () => format.from`(SELECT 1 AS "one") o`;

/** Notes the number that was read with something else. */
export function noteFormat(number: number): void {
  if (number > FORMAT && latest.number <= FORMAT)
    log.error("a newer version of Latchkey has migrated the database: this process answers 503 until it is replaced");
  latest.number = number;
}

/** Whether a newer version has migrated the database, as far as this process knows: within a second. */
export const isOutdated = (): boolean => latest.number > FORMAT;

/** The same, by asking the database now. */
export async function isFormatOutdated(): Promise<boolean> {
  const [row] = await sql.read(formatOfDatabase());
  noteFormat(row?.number ?? FORMAT);
  return isOutdated();
}

/** Throws 503 `unavailable` in a process of a version that is older than what is stored. */
export function refuseOutdated(): void {
  if (isOutdated())
    throw unavailable("The service is being upgraded: this process is older than its database. Try again in a moment.");
}
