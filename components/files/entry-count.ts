/** The number of files and folders that a person sees: all stored entries except the root folder. */
export function seenOf(entries: number): number {
  return Math.max(0, entries - 1);
}

/** The same in words. */
export function entriesInWords(entries: number): string {
  const seen = seenOf(entries);
  return seen === 1 ? "1 file or folder" : `${seen.toLocaleString("en")} files and folders`;
}
