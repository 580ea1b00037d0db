import type { machine } from "@/bench/machine";
import type { Size } from "@/scripts/seed-console/size";

/** What was measured of one thing at one size, in milliseconds. */
export interface Row {
  name: string;
  p50: number;
  p99: number;
  /** Milliseconds of the service's processor time for each. Undefined where it is another process. */
  processor?: number;
  /** The mean number of pages that PostgreSQL's statements looked at. Null on SQLite, and where not counted. */
  pages?: number | null;
}

/** Of one database at one size. */
export interface Measurement {
  database: "SQLite" | "PostgreSQL";
  size: Size;
  rows: Row[];
  facts: Facts;
}

/** All that was measured, and the machine of the last of it. */
export interface Kept {
  machine: ReturnType<typeof machine>;
  measured: Measurement[];
}

export interface Facts {
  fillMs: number;
  /** The first sweeps, which remove a year's remains and count every user. */
  sweptMs: number;
  /** All of them, as the backup counts them. */
  rows: number;
  /** The database on the disk, and its backup. */
  bytes: number;
  backupBytes: number;
  backupMs: number;
  /** How many processes wanted the processor at the end, on average of a minute. Undefined: not noted. */
  load?: number;
}

/** A row of a table: the same thing at each size. */
export interface Growth {
  name: string;
  p50: number[];
  p99: number[];
  processor: number[];
  /** Empty on SQLite. */
  pages: number[];
  /**
   * The factor for a hundred times as many, from the smallest size to the largest: of the pages, or else of processor
   * time, or else of p50. The first two do not depend on what else the machine does.
   */
  per100: number;
}

/** More than this for a hundred times as many is growth that must be explained. */
export const MOST_PER_100 = 1.5;

export function summary(name: string, taken: number[]): Row {
  const sorted = [...taken].sort((a, b) => a - b);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
  return { name, p50: at(0.5), p99: at(0.99) };
}

/** Whether it grows by more than that. */
export const isSteep = ({ per100 }: Growth): boolean => per100 > MOST_PER_100;

/** How each thing grows, over the sizes in their order. */
export function growthOf(measured: Pick<Measurement, "size" | "rows">[]): Growth[] {
  const [first, last] = [measured[0], measured.at(-1)];
  if (!first || !last) return [];
  const hundreds = Math.log(last.size.users / first.size.users) / Math.log(100);
  return first.rows.map(({ name }) => {
    const same = measured.map(({ rows }) => rows.find((row) => row.name === name));
    const p50 = same.map((row) => row?.p50 ?? Number.NaN);
    const factor = (values: number[]) => {
      const ratio = (values.at(-1) ?? Number.NaN) / (values[0] ?? Number.NaN);
      return hundreds > 0 ? ratio ** (1 / hundreds) : 1;
    };
    const known = (values: (number | null | undefined)[]) => {
      const numbers = values.flatMap((value) => (value ? [value] : []));
      return numbers.length === values.length ? numbers : [];
    };
    const processor = known(same.map((row) => row?.processor));
    const pages = known(same.map((row) => row?.pages));
    const surest = [pages, processor].find((values) => values.length > 0) ?? p50;
    return { name, p50, p99: same.map((row) => row?.p99 ?? Number.NaN), processor, pages, per100: factor(surest) };
  });
}
