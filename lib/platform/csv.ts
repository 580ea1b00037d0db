/** Without it, Excel takes the text for one in the alphabet of the computer's region. */
export const BYTE_ORDER_MARK = "\ufeff";

/** Where some reader begins a cell: it need not split at commas, nor know quotes. */
const SEPARATORS = String.raw`,;|\t-\r\u0085\u2028\u2029`;
/** What some reader drops before it reads a cell: blanks of all kinds, what cannot be seen, quotes. */
const DROPPED = String.raw`\s\p{Z}\p{Cc}\p{DI}\u2800"`;
/** What a formula begins with, also in the widths and forms that spreadsheets accept instead. */
const SIGNS = "=+\\-@|＝＋－＠｜﹦﹢﹣﹫−";

/**
 * The positions before a formula's sign, and the apostrophes there. A blank separates only from what follows at once.
 */
export const FORMULAS = new RegExp(
  `((?:^|[${SEPARATORS}])[${DROPPED}]*)('*)(?=[${SIGNS}])|([${DROPPED}])('*)(?=[${SIGNS}][^${DROPPED}])`,
  "gu",
);
const NUMBER = /^-?\d+(\.\d+)?$/;

/** A line of a CSV file. No reader, whatever it splits at, takes a field or a part of one for a formula. */
export const csvLine = (fields: readonly string[]) => `${fields.map(field).join(",")}\r\n`;

/** A spreadsheet runs what begins like a formula, even in quotes. An apostrophe makes it text. A number is none. */
function field(text: string): string {
  const harmless = NUMBER.test(text) ? text : text.replace(FORMULAS, "$1$3'$2$4");
  return /[",;|\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** JSON for a field. A sign that could begin a formula is escaped, so that it stays the JSON of this value. */
export function jsonField(value: unknown): string {
  const escaped = (_: string, sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
  // JSON has no U+0000, so it can mark the signs.
  const marked = (string: string) => string.replace(FORMULAS, "$1$3$2$4\0");
  return JSON.stringify(value).replace(/"(?:[^"\\]|\\.)*"/g, (string) => marked(string).replace(/\0(.)/gu, escaped));
}
