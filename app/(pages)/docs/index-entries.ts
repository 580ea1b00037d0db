import { routes } from "@/app/(api)/routes";
import { errorsOf, type ReportedError } from "@/lib/api/error-codes";
import { AREAS, anchorOf, areaOf } from "@/lib/api/openapi";

export interface Guide {
  href: string;
  name: string;
  /** That of its page, if the index has a shorter one. */
  title?: string;
}

/** The guides, in the order in which the pages list them. */
export const GUIDES = [
  {
    href: "/docs/guides/command-line",
    name: "Sign in: command line",
    title: "Sign a user in from a command-line tool",
  },
  {
    href: "/docs/guides/desktop",
    name: "Sign in: game or desktop app",
    title: "Sign a user in from a game or desktop app",
  },
  {
    href: "/docs/guides/browser",
    name: "Sign in: browser page",
    title: "Sign a user in from a browser page",
  },
  { href: "/docs/guides/keys", name: "Sell access with keys" },
  { href: "/docs/guides/offline-licence", name: "A licence that works offline" },
  { href: "/docs/guides/who-is-playing", name: "Let your server know who is playing" },
  { href: "/docs/guides/backup", name: "Back up a user's files" },
  { href: "/docs/guides/production", name: "Run it in production" },
  { href: "/docs/guides/existing-clients", name: "Use an existing client" },
] as const satisfies readonly Guide[];

export const REFERENCE = { href: "/docs", name: "API reference" } as const;

export type DocsPath = (typeof GUIDES)[number]["href"] | typeof REFERENCE.href;

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
    title: REFERENCE.name,
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
