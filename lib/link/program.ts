import { type Access, storedAccess } from "@/lib/access";
import { isName, NAME_LENGTH } from "@/lib/access-tokens/name";
import type { LinkCode } from "@/prisma/generated/sqlite/client";

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

/**
 * The name that a program gives itself, at most 40 ASCII characters; empty if it has none, as in a browser. It is a
 * claim, not a fact.
 */
export function nameOfProgram(userAgent: string): string {
  if (userAgent.startsWith("Mozilla/")) return "";
  return /^[A-Za-z][\w.+ -]{0,39}/.exec(userAgent)?.[0].trim() ?? "";
}

type Asking = Pick<LinkCode, "name" | "program" | "webPage">;

/**
 * The name of the program that asked, as the page shows it; empty if it has none. A web page of another site could
 * choose any: it is named by its address only.
 */
export function nameOnPage({ name, program, webPage }: Asking): string {
  return webPage === null ? (name ?? nameOfProgram(program)) : "";
}

/** The same for lists, with what else the program says of itself; may be empty. */
export function claimedName({ name, program, webPage }: Asking): string {
  return (webPage === null && name) || describeProgram(program);
}

/** The name of the token that the program gets. */
export function nameForToken(link: Asking): string {
  const name = [...(nameOnPage(link) || describeProgram(link.program))].slice(0, NAME_LENGTH).join("").trim();
  return isName(name) ? name : "Program";
}

/** The access that the program asked for; null: none. */
export function askedAccessOf({ access }: Pick<LinkCode, "access">): Access | null {
  return access === null ? null : storedAccess(access);
}
