import { jsonLine, plainLines } from "../../../lib/platform/safe-text";

/** Prints a result: JSON for programs, or its words for people. */
export function print(value: unknown, isJson: boolean | undefined, text: string): void {
  process.stdout.write(`${isJson ? jsonLine(value) : plainLines(text)}\n`);
}

/** A line for people, which is no result. */
export function printMessage(line: string): void {
  process.stderr.write(`${plainLines(line)}\n`);
}

/** Rows with columns of equal width. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  const line = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
  return rows.map((row) => line(row).trimEnd()).join("\n");
}

/** A number of bytes for people. */
export function readable(bytes: number): string {
  const units = ["B", "KB", "MB", "GB", "TB"];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${(bytes / 1000 ** power).toLocaleString("en", { maximumFractionDigits: 1 })} ${units[power]}`;
}

/** Shows how far a pull is, on one line of a terminal, ten times a second at most. */
export function progress(): { show: (files: number, bytes: number) => void; clear: () => void } {
  const { stderr } = process;
  let shownAt = 0;
  const show = (files: number, bytes: number) => {
    if (!stderr.isTTY || Date.now() - shownAt < 100) return;
    shownAt = Date.now();
    stderr.write(`\r\u001b[K${files.toLocaleString("en")} files, ${readable(bytes)}`);
  };
  return { show, clear: () => void (shownAt > 0 && stderr.write("\r\u001b[K")) };
}
