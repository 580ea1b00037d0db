import { createHash } from "node:crypto";
import { type End, end, FORMATS, type Header, header } from "./header";
import { isObject, isRowOf, knownTable } from "./known";
import { linesOf } from "./lines";
import type { Plain, Table } from "./tables";

/** A row, and its table. */
export interface BackupRow {
  table: Table;
  values: Plain[];
}

export interface BackupEnds {
  header: Header;
  end: End;
}

/**
 * Reads a backup to its end before it is used: its tables, columns and values must be ours, and its hash must match.
 * The signature is not checked here. Throws an Error if it is not a backup, or if it is cut off or changed.
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
        const announced = knownTable(value);
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
  if (typeof value.format === "number" && value.format > Math.max(...FORMATS))
    throw new Error(`The backup ${file} was made by a newer version: update first.`);
  const { data } = header.safeParse(value);
  if (!data) throw changed(file, "its first line is not in Latchkey's format");
  return data;
}

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString("utf8"));
  } catch {
    return undefined;
  }
}
