/** Control characters that text for people never contains: all but tab, line feed, form feed and carriage return. */
const CONTROLS = /[\0-\x08\x0b\x0e-\x1f\x7f]/;
/** Text with this prefix would be taken for a data: URL. */
export const DATA_URL = "data:";

/**
 * Whether a file is stored as text; otherwise its bytes are stored as a data: URL. The bytes must also be UTF-8.
 * `isBegin`: this is the beginning of the file.
 */
export function isPlainText(text: string, isBegin: boolean): boolean {
  return !CONTROLS.test(text) && !(isBegin && text.startsWith(DATA_URL));
}
