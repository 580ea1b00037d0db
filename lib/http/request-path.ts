/**
 * The path and query of a request: `values` fill in the braces of the pattern, and the others are its query. Nothing in
 * it means anything to a shell between quotes.
 */
export function requestPath(pattern: string, values: Record<string, string>): string {
  const inQuery = Object.entries(values).filter(([name]) => !pattern.includes(`{${name}}`));
  const path = filledPath(pattern, values);
  return inQuery.length > 0 ? `${path}?${new URLSearchParams(inQuery)}` : path;
}

/** The path alone. A missing value stays as its name in capitals. */
export function filledPath(pattern: string, values: Record<string, string>): string {
  return pattern.replace(/\{(\w+)\}/g, (_, name: string) => escaped(values[name] || name.toUpperCase()));
}

/** Also what `encodeURIComponent` leaves as it is, but a shell does not. */
function escaped(value: string): string {
  return encodeURIComponent(value.toWellFormed()).replace(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
