// One of our scripts as a single file, which Node.js starts in half the time that tsx needs for the script itself. Its
// packages are found in node_modules.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { FOR_NODE } from "./builds.mjs";
import { hashOfSources } from "./sources.mjs";

/** The text of that file. `define` replaces expressions. */
export async function bundleOf(script, define = {}) {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    entryPoints: [script],
    write: false,
    ...FOR_NODE,
    define,
  });
  return outputFiles[0].text;
}

const CACHE = join("node_modules", ".cache", "latchkey");

/** Another process may be about to start a file of an hour ago. */
const isOld = (folder) => Date.now() - statSync(folder).mtimeMs > 86_400_000;

/** The path of that file, which is made if the sources changed since the last time. It works in this checkout only. */
export async function bundled(script) {
  const sources = hashOfSources(["clients", "scripts", join("tests", "support"), dirname(script)]);
  const version = createHash("sha256").update(`${resolve()} ${sources}`).digest("hex").slice(0, 16);
  const path = resolve(CACHE, version, `${basename(script, ".ts")}.mjs`);
  if (existsSync(path)) return path;
  const text = await bundleOf(script, { "import.meta.dirname": JSON.stringify(resolve("scripts")) });
  mkdirSync(dirname(path), { recursive: true });
  for (const name of readdirSync(CACHE)) if (isOld(join(CACHE, name))) rmSync(join(CACHE, name), { recursive: true });
  // Another process may make the same one, or start it.
  const own = `${path}.${process.pid}`;
  writeFileSync(own, text);
  renameSync(own, path);
  return path;
}
