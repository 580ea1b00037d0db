import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { growthOf, isSteep, type Row, summary } from "@/bench/scale/figures";
import { readKept, withTable } from "@/bench/scale/kept";
import { growthPicture } from "@/bench/scale/picture";
import { report } from "@/bench/scale/report";
import { BYTES_A_USER, checkRoom, readSizes, sizeOf } from "@/bench/scale/size";

const at = (users: number, ...rows: Row[]) => ({ size: sizeOf(users), rows });
const row = (p50: number, others: Partial<Row> = {}): Row => ({ name: "it", p50, p99: p50, ...others });

test("sizes are sorted, and others than whole numbers within bounds get a sentence", () => {
  expect(readSizes("1000000, 10000,10000")).toEqual([10_000, 1_000_000]);
  for (const typed of ["", "1e6", "9999", "10000001", "-10000", "10000;20000"])
    expect(() => readSizes(typed)).toThrow("--users must be numbers from 10,000 to 10,000,000, separated by commas.");
});

test("a size that the disk has no room for is refused before anything is written", () => {
  expect(() => checkRoom(10_000, 10_000 * BYTES_A_USER)).not.toThrow();
  expect(() => checkRoom(10_000_000, 72e9)).toThrow(
    "10,000,000 users take about 90.0 GB on the disk of the temporary folder, and 72.0 GB are free.",
  );
});

test("growth is the factor for a hundred times as many, by pages, else by processor time, else by time", () => {
  const growths = (first: Row, last: Row, users = 1_000_000) => growthOf([at(10_000, first), at(users, last)])[0];
  expect(growths(row(2), row(3))?.per100).toBeCloseTo(1.5);
  expect(growths(row(2), row(3), 100_000)?.per100).toBeCloseTo(2.25);
  expect(growths(row(2, { processor: 4 }), row(3, { processor: 4 }))?.per100).toBeCloseTo(1);
  const counted = growths(row(2, { processor: 4, pages: 10 }), row(2, { processor: 4, pages: 20 }));
  expect(counted?.per100).toBeCloseTo(2);
  expect(counted && isSteep(counted)).toBe(true);
  expect(growths(row(2, { pages: null }), row(2, { pages: null }))?.pages).toEqual([]);
});

test("a summary has the median and the 99th of a hundred", () => {
  expect(
    summary(
      "it",
      Array.from({ length: 100 }, (_, n) => n),
    ),
  ).toEqual({ name: "it", p50: 50, p99: 99 });
});

test("docs/scaling.md and its picture are of what was measured last", () => {
  const document = readFileSync("docs/scaling.md", "utf8");
  expect(withTable(document, report(readKept()))).toBe(document);
  expect(readFileSync("docs/scaling.svg", "utf8")).toBe(growthPicture(readKept().measured));
});
