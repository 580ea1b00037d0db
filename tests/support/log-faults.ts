const SECRETS: [what: string, pattern: RegExp][] = [
  ["a token", /lkt?_[A-Za-z0-9_-]{20}/],
  ["a password hash", /\$argon2/],
  ["a query", /[?&]\w+=/],
  ["an address", /https?:\/\/[^"\s]*\?/],
  ["a bearer token", /bearer [a-z0-9]/i],
  ["key data of a test", /(?:secret|data|more|bad)-[0-9a-f]{32}/],
  ["a statement with its values", /Invalid `|"(?:tokenSealed|tokenHash|codeHash|passwordHash)"/],
];

const FIELDS = ["level", "time", "id", "route", "method", "status", "ms", "userId"];
const ROUTE = /^(?:\/|\/[a-z0-9_./-]*(?:\{\w+\}|\[[\w.]+\])?|\(\w[\w ]*\))$/;

export function logFaults(text: string): string[] {
  const faults: string[] = [];
  let requests = 0;
  for (const line of text.split("\n")) {
    for (const [what, pattern] of SECRETS) if (pattern.test(line)) faults.push(`${what}: ${line.slice(0, 300)}`);
    if (!line.startsWith("{")) continue;
    const entry: Record<string, unknown> = JSON.parse(line);
    if (!("route" in entry)) continue;
    requests++;
    const strange = Object.keys(entry).filter((field) => !FIELDS.includes(field));
    if (strange.length > 0 || !ROUTE.test(String(entry.route))) faults.push(`a request's line: ${line.slice(0, 300)}`);
  }
  if (requests === 0) faults.push("no request has a line");
  return faults;
}
