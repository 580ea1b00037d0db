import { createHash } from "node:crypto";
import { type End, end, FORMATS, type Header, header } from "./header";
import { isObject, isRowOf, knownTable } from "./known";
import { linesOf } from "./lines";
import type { Plain, Table } from "./tables";

/** A row, and the table that it belongs to. */
export interface Row {
  table: Table;
  values: Plain[];
}

export interface Read {
  header: Header;
  end: End;
}

/**
 * Reads a backup to its end before anything is done with it: its tables, columns and values are ours, and its hash is that of what was
 * read. Who signed it is not asked here. Throws an Error where it is no backup, cut off or changed.
 */
export async function readBackup(file: string): Promise<Read> {
  const reading = rowsAndEnd(file);
  for (;;) {
    const { done, value } = await reading.next();
    if (done) return value;
  }
}

/** The rows of a backup that was read before, in an order in which they can be stored. Throws at the end where it was changed since. */
export async function* rowsOf(file: string, before: Read): AsyncGenerator<Row> {
  const { end } = yield* rowsAndEnd(file);
  if (end.sha256 !== before.end.sha256) throw changed(file, "it is another than a moment ago");
}

async function* rowsAndEnd(file: string): AsyncGenerator<Row, Read> {
  const hash = createHash("sha256");
  const tables = new Set<string>();
  let first: Header | undefined;
  let table: Table | undefined;
  let last: Buffer | undefined;
  let count = 0;
  for await (const line of linesOf(file)) {
    // The end is the last line, which is known when no other follows.
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
        else throw changed(file, `its line ${count} is none that Latchkey writes`);
      }
    }
    last = line;
  }
  const closing = end.safeParse(last && parse(last));
  if (!first) first = headerOf(file, last ?? Buffer.alloc(0));
  if (!closing.success || closing.data.lines !== count) throw new Error(`The backup ${file} is cut off or was changed: its end is missing.`);
  if (closing.data.sha256 !== hash.digest("hex")) throw new Error(`The backup ${file} is cut off or was changed: its hash differs.`);
  return { header: first, end: closing.data };
}

const changed = (file: string, how: string) => new Error(`The backup ${file} was changed: ${how}.`);

function headerOf(file: string, line: Buffer): Header {
  const value = parse(line);
  if (!isObject(value) || value.latchkey !== "backup") throw new Error(`The file ${file} is no backup of Latchkey.`);
  if (typeof value.format === "number" && value.format > Math.max(...FORMATS)) throw new Error(`The backup ${file} was made by a newer version: update first.`);
  const { data } = header.safeParse(value);
  if (!data) throw changed(file, "its first line is none that Latchkey writes");
  return data;
}

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString("utf8"));
  } catch {
    return undefined;
  }
}
