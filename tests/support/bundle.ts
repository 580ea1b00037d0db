import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { build } from "esbuild";

const FOLDER = "node_modules/.cache/latchkey-tests";
const made = new Map<string, Promise<string>>();

/**
 * The path of a bundle of one of our scripts with all its own imports. Node starts it in half the time that tsx needs
 * for the script itself.
 */
export function bundled(script: string): Promise<string> {
  const path = made.get(script) ?? bundle(script);
  made.set(script, path);
  return path;
}

async function bundle(script: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [script],
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    packages: "external",
    define: { "import.meta.dirname": JSON.stringify(resolve("scripts")) },
  });
  const path = join(FOLDER, `${basename(script, ".ts")}.mjs`);
  mkdirSync(FOLDER, { recursive: true });
  // Another process may create the same one, or start it.
  const own = `${path}.${process.pid}`;
  for (const { contents } of outputFiles) writeFileSync(own, contents);
  renameSync(own, path);
  return path;
}
