import type { Former } from "./former";
import type { FilesComparison } from "./parts/files";
import type { Comparison } from "./parts/rows";

/** Columns of equal width, the first left-aligned and numbers right-aligned. */
function table(head: string[], rows: string[][]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  ");
  return [line(head), widths.map((width) => "-".repeat(width)).join("  "), ...rows.map(line)].join("\n");
}

const number = (value: number | null, digits = 0) =>
  value === null ? "?" : value.toLocaleString("en", { maximumFractionDigits: digits, minimumFractionDigits: digits });

/** The results of each contender, and how Latchkey compares. */
export function rowsTable({ work, database, results }: Comparison): string {
  const figures = ["requests/s", "p50 ms", "p99 ms", "stall ms", "CPU µs/req", "memory MB", "Latchkey / this"];
  const head = [`${work}, ${database}`, ...figures];
  const rows = results.map((row) => [
    row.name,
    number(row.requestsPerSecond),
    number(row.p50, 2),
    number(row.p99, 2),
    number(row.stall),
    number(row.cpuPerRequest),
    number(row.memoryMB),
    row.kind === "ours" ? "" : `${number(row.oursToThis, 2)} ×`,
  ]);
  return table(head, rows);
}

/** The same for files. */
export function filesTable({ work, database, results }: FilesComparison): string {
  const head = [`${work}, ${database}`, "document MB/s", "CPU ms/MB", "growth MB", "Latchkey / this"];
  const rows = results.map((row) => [
    row.name,
    number(row.documentMBPerSecond),
    number(row.cpuPerMB, 2),
    number(row.growthMB),
    row.kind === "ours" ? "" : `${number(row.oursToThis, 2)} ×`,
  ]);
  return table(head, rows);
}

/** How Latchkey compares with each contender, beside the same ratios of a former run. */
export function ratiosTable(former: Former, compared: (Comparison | FilesComparison)[]): string {
  const before = [...former.rows, ...former.files];
  const rows = compared.flatMap(({ work, database, results }) => {
    const known = before.find((comparison) => comparison.work === work && comparison.database === database);
    return results.flatMap(({ name, kind, oursToThis }) => {
      if (kind === "ours") return [];
      const then = known?.results.find((result) => result.name === name)?.oursToThis ?? null;
      return [[`${work}, ${database}: ${name}`, number(then, 2), number(oursToThis, 2)]];
    });
  });
  return table(["Latchkey / this", `at ${former.about.at.slice(0, 16).replace("T", " ")} UTC`, "now"], rows);
}

/** Other results, row by row under their own names. */
export function plainTable(rows: Record<string, number | string>[]): string {
  const head = Object.keys(rows[0] ?? {});
  const cell = (value: number | string | null) => (typeof value === "string" ? value : number(value, 2));
  return table(
    head,
    rows.map((row) => head.map((column) => cell(row[column] ?? null))),
  );
}
