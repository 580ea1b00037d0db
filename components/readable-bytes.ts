const UNITS = ["B", "KB", "MB", "GB", "TB"];

/** A size for people, like "12.3 MB". */
export function readableBytes(bytes: number): string {
  const power = bytes < 1_000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1_000 ** power).toLocaleString("en", { maximumFractionDigits: 1 })} ${UNITS[power]}`;
}
