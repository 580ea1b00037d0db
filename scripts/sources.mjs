// The inputs of a build: two machines with the same sources produce the same build, and serve each other's pages.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const FOLDERS = [
  "app",
  join("clients", "typescript", "src"),
  "components",
  join("docs", "operations.md"),
  "examples",
  "lib",
  "server",
  "public",
  "prisma",
  join("scripts", "action-limits.ts"),
  join("scripts", "builds.mjs"),
  join("scripts", "clients"),
  join("scripts", "sources.mjs"),
];
const ROOT_FILES = /^(?:.*\.(?:tsx?|[cm]?js)|(?:package|package-lock|tsconfig)\.json)$/;
const CREATED_BY_BUILD = ["next-env.d.ts", join("prisma", "generated")];

/** A hash of the sources in the current folder, and in these others: 64 hex digits. */
export function hashOfSources(others = []) {
  const hash = createHash("sha256");
  const add = (path) => {
    if (CREATED_BY_BUILD.includes(path) || !existsSync(path)) return;
    if (statSync(path).isDirectory()) for (const name of readdirSync(path).sort()) add(join(path, name));
    else hash.update(`\0${path}\0`).update(readFileSync(path));
  };
  const rootFiles = readdirSync(".").filter((name) => ROOT_FILES.test(name));
  for (const path of [...FOLDERS, ...others, ...rootFiles.sort()]) add(path);
  return hash.digest("hex");
}

const GENERATED_FROM = [
  join("prisma", "schema.prisma"),
  join("scripts", "generate.mjs"),
  join("scripts", "table-columns.mjs"),
  join("node_modules", "prisma", "package.json"),
];
/** The `hashOfSchema` of the generated database clients, written once they are complete. */
export const GENERATED = join("prisma", "generated", "from");

/** A hash of what the database clients are generated from, with the version of Prisma. */
export function hashOfSchema() {
  const hash = createHash("sha256");
  for (const path of GENERATED_FROM) hash.update(readFileSync(path));
  return hash.digest("hex");
}

/**
 * The key from which a build derives the names of page actions. A page from one machine calls actions of another, so it
 * must be the same on all, and is not a secret. The bound data of actions is sealed with a key from AUTH_SECRET, which
 * replaces this one at run time (server/prepare).
 */
export function keyOfActionNames() {
  return createHash("sha256").update(`names of actions ${hashOfSources()}`).digest("base64");
}
