import { routes } from "@/app/(api)/routes";
import { parametersOf } from "@/lib/api/declaration";
import { errorsOf } from "@/lib/api/error-codes";
import { AREAS, anchorOf, areaOf } from "@/lib/api/openapi";
import { GUIDES } from "./guides";

/** A place in the documentation. */
export interface DocsEntry {
  href: string;
  name: string;
  /** What the search looks at, besides the name. */
  words?: string;
  /** Shown beside the name among the results of a search. */
  kind: string;
}

export interface DocsGroup {
  title: string;
  entries: DocsEntry[];
}

/** Those that a reader needs first; the others follow in the order of their names. */
const FIRST = [
  ...["/keys/create", "/keys/get/{id}", "/keys/mine", "/keys/check/{username}", "/keys/admin_add/{id}"],
  ...["/keys/revoke/{id}", "/keys/update/{id}", "/keys/delete/{id}", "/me"],
];
const rankOf = (path: string) => (FIRST.includes(path) ? FIRST.indexOf(path) : FIRST.length);

/** Every declared route, in the order of the reference. */
export const declarations = Object.values(routes)
  .map(({ GET }) => GET.declaration)
  .sort((one, other) => rankOf(one.path) - rankOf(other.path));

/** The index beside every page: guides, and the sections and routes of the reference. */
export const indexGroups: DocsGroup[] = [
  {
    title: "Guides",
    entries: GUIDES.map(({ href, name, title, words }) => ({ href, name, words: `${title} ${words}`, kind: "Guide" })),
  },
  {
    title: "API reference",
    entries: [
      { href: "/docs#authentication", name: "Authentication", words: "token auth bearer header", kind: "Reference" },
      { href: "/docs#errors", name: "Errors", words: "status code sentence", kind: "Reference" },
    ],
  },
  ...AREAS.map((area) => ({
    title: area.name,
    entries: declarations
      .filter(({ path }) => areaOf(path) === area)
      .map(({ path, summary }) => ({ href: `/docs#${anchorOf(path)}`, name: path, words: summary, kind: "Route" })),
  })),
];

/** What only a search finds: parameters and error codes. */
export const hiddenEntries: DocsEntry[] = [
  ...declarations.flatMap(({ path, ...rest }) =>
    parametersOf({ path, ...rest }).map(({ name }) => ({
      href: `/docs#${anchorOf(path)}-${name}`,
      name,
      kind: `Parameter of ${path}`,
    })),
  ),
  ...errorTable().map(({ code, status }) => ({ href: `/docs#error-${code}`, name: code, kind: `Error ${status}` })),
];

/** Every error code with its status and the routes that report it, by status. */
export function errorTable(): { code: string; status: number; paths: string[] }[] {
  const byCode = new Map<string, { code: string; status: number; paths: string[] }>();
  // A route with its own refusals reports other statuses, and no code.
  for (const declaration of declarations.filter(({ refusal }) => !refusal))
    for (const { code, status } of [...errorsOf(declaration).values()].flat()) {
      const entry = byCode.get(code) ?? { code, status, paths: [] };
      entry.paths.push(declaration.path);
      byCode.set(code, entry);
    }
  return [...byCode.values()].sort((one, other) => one.status - other.status || one.code.localeCompare(other.code));
}
