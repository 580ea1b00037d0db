/** Without it, Excel takes the text for one in the alphabet of the computer's region. */
export const BYTE_ORDER_MARK = "\ufeff";

/** A line of a CSV file. No spreadsheet takes one of its fields for a formula. */
export const csvLine = (fields: readonly string[]) => `${fields.map(field).join(",")}\r\n`;

/** A spreadsheet runs a field that begins like a formula, even in quotes. A plain number is none. */
function field(text: string): string {
  const isFormula = /^[=+\-@\t\r]/.test(text) && !/^-\d+(\.\d+)?$/.test(text);
  const harmless = isFormula ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
