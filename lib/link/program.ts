const BROWSERS: [RegExp, string][] = [
  [/Edg/, "Edge"],
  [/OPR\//, "Opera"],
  [/Electron\//, "Electron"],
  [/Firefox\//, "Firefox"],
  [/Chrom(e|ium)\//, "Chrome"],
  [/Safari\//, "Safari"],
];
const SYSTEMS: [RegExp, string][] = [
  [/Android/, "Android"],
  [/iPhone|iPad/, "iOS"],
  [/Windows/i, "Windows"],
  [/Mac OS X|Macintosh|Darwin/i, "macOS"],
  [/CrOS/, "ChromeOS"],
  [/Linux|X11/i, "Linux"],
];

/** The User-Agent header as it is kept: printable ASCII, at most 200 characters. */
export function shortenUserAgent(header: string | null): string {
  return (header ?? "").replace(/[^ -~]/g, "?").slice(0, 200);
}

/** What a program calls itself, in a few words, like "Linux, curl"; empty when it does not say. It is a claim, not a fact. */
export function describeProgram(userAgent: string): string {
  const first = (table: [RegExp, string][]) => table.find(([pattern]) => pattern.test(userAgent))?.[1];
  const own = userAgent.startsWith("Mozilla/") ? undefined : /^[A-Za-z][\w.+ -]{0,39}/.exec(userAgent)?.[0].trim();
  return [first(SYSTEMS), own ?? first(BROWSERS)].filter((part) => part !== undefined).join(", ");
}
