import { existsSync, readdirSync } from "node:fs";
import { dirname } from "node:path";
import { ALIASES, VERSION_PREFIX } from "@/lib/api/declaration";

const API = "app/(api)";
const PAGES = "app/(pages)";
const ADVICE = "Written by `npm run codegen` from the files beside. Do not edit.";

export const ROUTES = `${API}/routes.ts`;
export const PROXY = "proxy.ts";
export const CONFIG = "next.config.mjs";

/** Every route file of the API, by folder. */
function routeFiles(): string[] {
  return handlersIn(API);
}

/** `/keys/get/{id}` for `keys/get/[id]/route.ts`. */
const patternOf = (file: string) => `/${dirname(file).replace(/\[(\w+)\]/g, "{$1}")}`;

/** The first segments of the API's addresses, except those of pages' handlers. */
export function apiPrefixes(): string[] {
  const aliases = Object.keys(ALIASES).filter((path) => path.lastIndexOf("/") === 0);
  const segments = [...routeFiles(), ...[...aliases, VERSION_PREFIX].map((path) => path.slice(1))];
  return [...new Set(segments.map((path) => path.split("/")[0] ?? ""))].sort();
}

/** The module that imports every route except the one that describes them all. */
export function routesModule(): string {
  const files = routeFiles().filter((file) => !file.startsWith("openapi.json"));
  const list = (some: string[]) => some.map((file) => `  "${patternOf(file)}": ${nameOf(file)},`);
  const isForm = (file: string) => file.startsWith("oauth/");
  return [
    `// ${ADVICE}`,
    'import type { Route } from "@/lib/api/declaration";',
    'import type { FormRoute } from "@/lib/api/form-endpoint";',
    ...files.map((file) => `import * as ${nameOf(file)} from "./${file.replace(/\.ts$/, "")}";`),
    "",
    "/** The API's routes by their patterns, all but the one that describes them. */",
    "export const routes: Record<string, Route> = {",
    ...list(files.filter((file) => !isForm(file))),
    "};",
    "",
    "/** Those of OAuth, which take forms. */",
    "export const forms: Record<string, FormRoute> = {",
    ...list(files.filter(isForm)),
    "};",
    "",
  ].join("\n");
}

/**
 * proxy.ts with an updated matcher: all but the API and the pages' own handlers, which send their own headers, the
 * build's assets and the client.
 */
export function withMatcher(proxy: string): string {
  return replaced(proxy, /^ {4}"\/\(\(\?!.*$/m, `    ${JSON.stringify(matcher())},`);
}

function matcher(): string {
  const isPage = (prefix: string) => existsSync(`${PAGES}/${prefix}/page.tsx`);
  const under = apiPrefixes().filter(isPage);
  const entirelyApi = apiPrefixes().filter((prefix) => !isPage(prefix));
  const handlers = handlersIn(`${PAGES}/files`).map((file) => file.split("/")[0] ?? "");
  const aliases = Object.keys(ALIASES).flatMap((path) => /^\/files\/(.+)/.exec(path)?.[1] ?? []);
  const ofFiles = [...new Set([...handlers, ...aliases])].sort();
  const passed = [
    "api/",
    ...under.map((prefix) => `${prefix}/[^/]`),
    `files/(?:${alternatives(ofFiles)})(?:/|$)`,
    `(?:${alternatives(entirelyApi)})(?:/|$)`,
    "_next/static/",
    "(?:icon\\.svg|favicon\\.ico|client\\.mjs|client\\.d\\.mts)$",
  ];
  return `/((?!${passed.join("|")}).*)`;
}

/** next.config.mjs with the API's prefixes as they are. */
export function withPrefixes(config: string): string {
  const lines = apiPrefixes().map((prefix) => `  ${JSON.stringify(alternatives([prefix]))},\n`);
  return replaced(config, /^const API_PREFIXES = \[\n[^\]]*\]/m, `const API_PREFIXES = [\n${lines.join("")}]`);
}

/** The text with `by` in place of what is there. Throws an Error if that has another form. */
function replaced(text: string, there: RegExp, by: string): string {
  if (!there.test(text)) throw new Error(`Nothing is like ${there}.`);
  return text.replace(there, () => by);
}

const alternatives = (names: string[]) => names.map((name) => name.replaceAll(".", "\\.")).join("|");

function handlersIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files.filter((file) => /(?:^|\/)route\.ts$/.test(file)).sort();
}

/** `keysGetId` for `keys/get/[id]/route.ts`. */
function nameOf(file: string): string {
  const [first = "", ...rest] = dirname(file).split(/\W+|_/).filter(Boolean);
  return first + rest.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join("");
}
