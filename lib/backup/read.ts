import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type { Plain, Table } from "./tables";
import type { Header } from "./write";

const NEWLINE = 10;

/** A row, and the table that it belongs to. */
export interface Row {
  table: Table;
  values: Plain[];
}

/** Reads a backup to its end and compares its hash, before anything is done with it. Throws an Error where it is none, cut off or changed. */
export async function verifyBackup(file: string): Promise<Header> {
  const hash = createHash("sha256");
  let header: Header | undefined;
  let last: Buffer | undefined;
  let count = -1;
  for await (const line of linesOf(file)) {
    if (last) hash.update(last).update("\n");
    header ??= headerOf(file, line);
    last = line;
    count++;
  }
  const end = last && count > 0 ? parse(last) : undefined;
  if (!header || !isEnd(end) || end.lines !== count || end.sha256 !== hash.digest("hex"))
    throw new Error(`The backup ${file} is cut off or was changed: its hash differs.`);
  return header;
}

/** The rows of a verified backup, in an order in which they can be stored. */
export async function* rowsOf(file: string): AsyncGenerator<Row> {
  let table: Table | undefined;
  for await (const line of linesOf(file)) {
    const value = parse(line);
    if (Array.isArray(value) && table) yield { table, values: value };
    else if (isTable(value)) table = value;
  }
}

function headerOf(file: string, line: Buffer): Header {
  const value = parse(line) as Partial<Header> | undefined;
  if (value?.latchkey !== "backup") throw new Error(`The file ${file} is no backup of Latchkey.`);
  if (value.format !== 1) throw new Error(`The backup ${file} was made by a newer version: update first.`);
  return value as Header;
}

function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && "columns" in value;
}

function isEnd(value: unknown): value is { lines: number; sha256: string } {
  return typeof value === "object" && value !== null && "lines" in value && "sha256" in value;
}

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString("utf8"));
  } catch {
    return undefined;
  }
}

async function* linesOf(file: string): AsyncGenerator<Buffer> {
  const text = createGunzip({ chunkSize: 1 << 18 });
  // What fails is thrown where the text is read.
  pipeline(createReadStream(file, { highWaterMark: 1 << 18 }), text).catch(() => {});
  let begun: Buffer[] = [];
  try {
    for await (const chunk of text as AsyncIterable<Buffer>) {
      let from = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
        yield Buffer.concat([...begun, chunk.subarray(from, end)]);
        begun = [];
        from = end + 1;
      }
      if (from < chunk.length) begun.push(chunk.subarray(from));
    }
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new Error(`There is no file ${file}.`);
    if (code.startsWith("Z_")) throw new Error(`The file ${file} is no backup of Latchkey, or it is cut off.`);
    throw error;
  }
  if (begun.length > 0) yield Buffer.concat(begun);
}
