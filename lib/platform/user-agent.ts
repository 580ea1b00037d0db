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

/** The User-Agent header as stored: printable ASCII, at most 200 characters. */
export function shortenUserAgent(header: string | null): string {
  return (header ?? "").replace(/[^ -~]/g, "?").slice(0, 200);
}

/** A short description of a program, like "curl on Linux"; empty if it does not say. It is a claim, not a fact. */
export function describeProgram(userAgent: string): string {
  const first = (table: [RegExp, string][]) => table.find(([pattern]) => pattern.test(userAgent))?.[1];
  return [nameOfProgram(userAgent) || first(BROWSERS), first(SYSTEMS)]
    .filter((part) => part !== undefined)
    .join(" on ");
}

/** The origin of a web page that hides it: of a frame without one, or of a file. */
export const HIDDEN_PAGE = "null";

/** What an origin that is stored without its beginning begins with. */
export const SHORTENED = "...";

/** The host of a web page, by its origin; empty if it hides that. The browser vouches for it. */
export const siteOf = (webPage: string) => (webPage === HIDDEN_PAGE ? "" : webPage.replace(/^https?:\/\//, ""));

/**
 * The name that a program gives itself, at most 40 ASCII characters; empty if it has none, as in a browser. It is a
 * claim, not a fact.
 */
export function nameOfProgram(userAgent: string): string {
  if (userAgent.startsWith("Mozilla/")) return "";
  return /^[A-Za-z][\w.+ -]{0,39}/.exec(userAgent)?.[0].trim() ?? "";
}
