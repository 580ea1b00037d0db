import { routes } from "@/app/(api)/routes";
import { errorsOf, type ReportedError } from "@/lib/api/error-codes";
import { AREAS, anchorOf, areaOf } from "@/lib/api/openapi";
import { GUIDES } from "./guides";

/** A part of the index: its title, and the places in the documentation. */
export interface DocsGroup {
  title: string;
  entries: { href: string; name: string }[];
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
  { title: "Guides", entries: GUIDES.map(({ href, name }) => ({ href, name })) },
  {
    title: "API reference",
    entries: [
      { href: "/docs#authentication", name: "Authentication" },
      { href: "/docs#errors", name: "Errors" },
    ],
  },
  ...AREAS.map((area) => ({
    title: area.name,
    entries: declarations
      .filter(({ path }) => areaOf(path) === area)
      .map(({ path }) => ({ href: `/docs#${anchorOf(path)}`, name: path })),
  })),
];

interface ErrorEntry extends Pick<ReportedError, "code" | "status" | "meaning"> {
  paths: string[];
}

/** Every error code with its status and the routes that report it, by status. */
export function errorTable(): ErrorEntry[] {
  const byCode = new Map<string, ErrorEntry>();
  // A route with its own refusals reports other statuses, and no code.
  for (const declaration of declarations.filter(({ refusal }) => !refusal))
    for (const { code, status, meaning } of [...errorsOf(declaration).values()].flat()) {
      const entry = byCode.get(code) ?? { code, status, meaning, paths: [] };
      entry.paths.push(declaration.path);
      byCode.set(code, entry);
    }
  return [...byCode.values()].sort((one, other) => one.status - other.status || one.code.localeCompare(other.code));
}
