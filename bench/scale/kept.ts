import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { Kept, Measurement } from "./figures";
import { growthPicture } from "./picture";
import { report } from "./report";

const RESULTS = "bench/scale.json";
const DOCUMENT = "docs/scaling.md";
const PICTURE = "docs/scaling.svg";
/** Between these lines of the document is the table. */
const BEGIN = "<!-- measured: written by npm run scale -->";
const END = "<!-- end of what was measured -->";

/** What was measured last of each database and size. Throws an Error with a sentence if there is nothing. */
export function readKept(): Kept {
  if (!existsSync(RESULTS)) throw new Error(`There is no ${RESULTS}. Run npm run scale without --draw first.`);
  return JSON.parse(readFileSync(RESULTS, "utf8"));
}

/** Keeps a measurement in place of an earlier one of the same database and size. */
export function writeKept(measurement: Measurement, on: Kept["machine"]): void {
  const before = existsSync(RESULTS) ? readKept().measured : [];
  const isSame = ({ database, size }: Measurement) =>
    database === measurement.database && size.users === measurement.size.users;
  const measured = [...before.filter((one) => !isSame(one)), measurement].sort(
    (a, b) => a.database.localeCompare(b.database) || a.size.users - b.size.users,
  );
  writeFileSync(RESULTS, `${JSON.stringify({ machine: on, measured }, rounded, 2)}\n`);
}

/** Four digits are more than a machine can repeat. */
const rounded = (_: string, value: unknown) =>
  typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value;

/** The document with this table in its place. */
export function withTable(document: string, table: string): string {
  const [from, to] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`${DOCUMENT} has no place for the table.`);
  return `${document.slice(0, from + BEGIN.length)}\n\n${table}\n\n${document.slice(to)}`;
}

/** Writes the table and the picture of the document, and returns the table. */
export function writeDocuments(kept: Kept): string {
  const table = report(kept);
  writeFileSync(PICTURE, growthPicture(kept.measured));
  writeFileSync(DOCUMENT, withTable(readFileSync(DOCUMENT, "utf8"), table));
  return table;
}
