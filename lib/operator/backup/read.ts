import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { configuredProvider, migrationNames } from "@/lib/platform/db/migrate";
import { type End, end, FORMAT, type Header, header } from "./format";
import { isPlain, type Plain, type Table, tableOfBackups } from "./tables";

const NEWLINE = 10;
/** Maximum bytes of a line. The longest one written has the content of a piece of files, which is half a megabyte. */
const MAX_LINE = 16_000_000;

/**
 * The lines of a gzipped file. Throws an Error if the file does not exist or is not gzipped, or if a line is too long
 * to be ours.
 */
async function* linesOf(file: string): AsyncGenerator<Buffer> {
  const text = createGunzip({ chunkSize: 1 << 18 });
  // Failures are thrown where the text is read.
  pipeline(createReadStream(file, { highWaterMark: 1 << 18 }), text).catch(() => {});
  let begun: Buffer[] = [];
  let length = 0;
  let count = 1;
  try {
    for await (const chunk of text as AsyncIterable<Buffer>) {
      let from = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
        yield Buffer.concat([...begun, chunk.subarray(from, end)]);
        count++;
        begun = [];
        length = 0;
        from = end + 1;
      }
      if (from < chunk.length) begun.push(chunk.subarray(from));
      length += chunk.length - from;
      if (length > MAX_LINE)
        throw new Error(`The backup ${file} was changed: its line ${count} is longer than any that Latchkey writes.`);
    }
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new Error(`There is no file ${file}.`);
    if (code.startsWith("Z_")) throw new Error(`The file ${file} is not a Latchkey backup, or it is cut off.`);
    throw error;
  }
  if (begun.length > 0) yield Buffer.concat(begun);
}

/** The table that a line of a backup announces, from our own definitions: the line only selects among these. */
function tableOf(line: unknown): Table | undefined {
  if (!isObject(line) || !Array.isArray(line.columns)) return undefined;
  const table = tableOfBackups(line.name);
  const columns = line.columns.flatMap(
    (column: unknown) =>
      table?.columns.find(({ name, kind }) => isObject(column) && column.name === name && column.kind === kind) ?? [],
  );
  const isComplete =
    columns.length === line.columns.length && columns.length > 0 && new Set(columns).size === columns.length;
  return table && isComplete ? { name: table.name, columns } : undefined;
}

/** Whether a line of a backup is a row of this table. */
function isRowOf({ columns }: Table, line: unknown): line is Plain[] {
  return (
    Array.isArray(line) &&
    line.length === columns.length &&
    columns.every((column, index) => isPlain(line[index], column))
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A row, and its table. */
export interface BackupRow {
  table: Table;
  values: Plain[];
}

interface BackupEnds {
  header: Header;
  end: End;
}

/**
 * Reads a backup to its end before it is used: its tables, columns and values must be ours, and its hash must match.
 * The signature is not checked here. Throws an Error if it is not a backup, is one of a version before 1.0.0 or of a
 * newer one, or is cut off or changed.
 */
export async function readBackup(file: string): Promise<BackupEnds> {
  const reading = rowsAndEnd(file);
  for (;;) {
    const { done, value } = await reading.next();
    if (done) return value;
  }
}

/**
 * The rows of a backup that was read before, in an order in which they can be stored. Throws at the end if it was
 * changed since.
 */
export async function* rowsOf(file: string, before: BackupEnds): AsyncGenerator<BackupRow> {
  const { end } = yield* rowsAndEnd(file);
  if (end.sha256 !== before.end.sha256) throw changed(file, "it changed while it was being read");
}

async function* rowsAndEnd(file: string): AsyncGenerator<BackupRow, BackupEnds> {
  const hash = createHash("sha256");
  const tables = new Set<string>();
  let first: Header | undefined;
  let table: Table | undefined;
  let last: Buffer | undefined;
  let count = 0;
  for await (const line of linesOf(file)) {
    // The last line is known only when no other follows.
    if (last) {
      hash.update(last).update("\n");
      if (++count === 1) first = headerOf(file, last);
      else {
        const value = parse(last);
        const announced = tableOf(value);
        if (announced && !tables.has(announced.name)) {
          table = announced;
          tables.add(table.name);
        } else if (table && isRowOf(table, value)) yield { table, values: value };
        else throw changed(file, `line ${count} is not in Latchkey's format`);
      }
    }
    last = line;
  }
  const closing = end.safeParse(last && parse(last));
  if (!first) first = headerOf(file, last ?? Buffer.alloc(0));
  if (!closing.success || closing.data.lines !== count)
    throw new Error(`The backup ${file} is cut off or was changed: its end is missing.`);
  if (closing.data.sha256 !== hash.digest("hex"))
    throw new Error(`The backup ${file} is cut off or was changed: its hash differs.`);
  return { header: first, end: closing.data };
}

const changed = (file: string, how: string) => new Error(`The backup ${file} was changed: ${how}.`);

function headerOf(file: string, line: Buffer): Header {
  const value = parse(line);
  if (!isObject(value) || value.latchkey !== "backup") throw new Error(`The file ${file} is not a Latchkey backup.`);
  if (typeof value.format === "number" && value.format > FORMAT) throw newer(file, `format ${value.format}`);
  if (value.format === 1 || value.format === 2) throw older(file);
  const { data } = header.safeParse(value);
  if (!data) throw changed(file, "its first line is not in Latchkey's format");
  const [first = "", ...later] = migrationNames(configuredProvider());
  const unknown = data.migrations.find((name) => name > first && !later.includes(name));
  if (unknown) throw newer(file, unknown);
  // The first one is what 1.0.0 left.
  if (!data.migrations.includes(first)) throw older(file);
  return data;
}

const newer = (file: string, what: string) =>
  new Error(`The backup ${file} was created by a newer version (${what}): update first.`);

const older = (file: string) =>
  new Error(
    `The backup ${file} was created by a version before 1.0.0, which this version cannot restore: restore it with ` +
      "1.0.0, and create another one with that.",
  );

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString("utf8"));
  } catch {
    return undefined;
  }
}
