/** The command for one request of the API, to copy. Where the token belongs it says TOKEN. */
export function command(origin: string, path: string, parameters: Record<string, string> = {}): string {
  const query = Object.entries(parameters).map(([name, value]) => `&${name}=${escaped(value)}`);
  return `curl "${origin}${path}?auth=TOKEN${query.join("")}"`;
}

/** Percent-encoded so far that nothing is left which a shell or a query takes for its own. */
function escaped(value: string): string {
  return encodeURIComponent(value.toWellFormed()).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
}
