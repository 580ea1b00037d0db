// What a build is made of: two machines with the same sources make the same build, and serve each other's pages.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const FOLDERS = ["app", "components", "lib", "server", "public", "prisma", join("scripts", "builds.mjs"), join("scripts", "sources.mjs")];
const ROOT_FILES = /^(?:.*\.(?:tsx?|[cm]?js)|(?:package|package-lock|tsconfig)\.json)$/;
const MADE_BY_BUILDING = ["next-env.d.ts", join("prisma", "generated")];

/** A hash of the sources in the current folder: 64 hex digits. */
export function hashOfSources() {
  const hash = createHash("sha256");
  const add = (path) => {
    if (MADE_BY_BUILDING.includes(path) || !existsSync(path)) return;
    if (statSync(path).isDirectory()) for (const name of readdirSync(path).sort()) add(join(path, name));
    else hash.update(`\0${path}\0`).update(readFileSync(path));
  };
  const rootFiles = readdirSync(".").filter((name) => ROOT_FILES.test(name));
  for (const path of [...FOLDERS, ...rootFiles.sort()]) add(path);
  return hash.digest("hex");
}

/**
 * What Next names the actions of pages by when it builds, so that a page of one machine calls those of another: it must be the same on all, so it is
 * no secret. What actions carry along is sealed under a key of AUTH_SECRET, which takes its place when the service runs (server/actions-key).
 */
export function keyOfActionNames() {
  return createHash("sha256").update(`names of actions ${hashOfSources()}`).digest("base64");
}
