/** Characters that would change a terminal, or the order of the text: escape sequences and controls of direction. */
const UNSAFE = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
/** Those that JSON leaves as they are. */
const UNSAFE_IN_JSON = /[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** A text of somebody else's, on one line and harmless in a terminal. */
export function plain(text: string): string {
  return text.replace(UNSAFE, escaped);
}

/** A value as one line of JSON, harmless in a terminal. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(UNSAFE_IN_JSON, escaped);
}

/** Prints a result: JSON for programs, or its words for people. */
export function print(value: unknown, isJson: boolean | undefined, text: string): void {
  process.stdout.write(`${isJson ? jsonLine(value) : text}\n`);
}

/** A line for people, which is no result. */
export function printMessage(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Rows with columns of equal width. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  const line = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
  return rows.map((row) => line(row).trimEnd()).join("\n");
}

/** A number of bytes for people. */
export function readable(bytes: number): string {
  const units = ["bytes", "KB", "MB", "GB"];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${power === 0 ? bytes : (bytes / 1000 ** power).toFixed(1)} ${units[power]}`;
}

/** Shows how far a pull is, on one line of a terminal, ten times a second at most. */
export function progress(): { show: (files: number, bytes: number) => void; clear: () => void } {
  const { stderr } = process;
  let shownAt = 0;
  const show = (files: number, bytes: number) => {
    if (!stderr.isTTY || Date.now() - shownAt < 100) return;
    shownAt = Date.now();
    stderr.write(`\r\u001b[K${files} files, ${readable(bytes)}`);
  };
  return { show, clear: () => void (shownAt > 0 && stderr.write("\r\u001b[K")) };
}
