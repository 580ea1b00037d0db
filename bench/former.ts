import { existsSync, readFileSync } from "node:fs";
import type { FilesComparison } from "./parts/files";
import type { Comparison } from "./parts/rows";

/** Where a whole run writes its results. */
export const RESULTS = "bench/results.json";

export interface Former {
  about: { at: string };
  rows: Comparison[];
  files: FilesComparison[];
}

/** The results of the last whole run, if there was one. */
export function formerResults(): Former | undefined {
  return existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, "utf8")) : undefined;
}
