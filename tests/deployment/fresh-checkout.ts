import { execFile, execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const QUIETLY = ["--ignore-scripts", "--no-audit", "--no-fund"];

/** Installs a Node.js and an npm below `place`, from the registry, and answers what makes a process use them. */
export async function nodeVersion(place: string, node: string, npm: string): Promise<NodeJS.ProcessEnv> {
  // No blank: compilers are told of this folder without quotes.
  const folder = join(place, `node-${node}-npm-${npm}`);
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  const nodePackage = `node-${process.platform}-${process.arch}`;
  await run("npm", ["install", "--prefix", folder, ...QUIETLY, `${nodePackage}@${node}`, `npm@${npm}`]);
  const installed = join(folder, "node_modules", nodePackage);
  symlinkSync(join(installed, "bin", "node"), join(bin, "node"));
  for (const name of ["npm", "npx"])
    symlinkSync(join(folder, "node_modules", "npm", "bin", `${name}-cli.js`), join(bin, name));
  // Packages are compiled, where they must be, against its headers.
  return { ...process.env, PATH: `${bin}:${process.env.PATH}`, npm_config_nodedir: installed };
}

/** Copies the sources into `folder` as in a fresh clone: nothing installed, no build, no data. */
export function copySources(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const sources = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    encoding: "utf8",
  }).split("\0");
  for (const name of sources.filter((path) => path !== "" && !path.startsWith("tests/") && existsSync(path)))
    cpSync(name, join(folder, name));
}

/** The same after `npm ci`. */
export function copyInstalledSources(folder: string): void {
  copySources(folder);
  execFileSync("cp", ["-al", "node_modules", folder]);
  cpSync("prisma/generated", join(folder, "prisma", "generated"), { recursive: true });
}

/** The blocks of CONTRIBUTING.md with a file's name, and its lines for a shell, in their order. */
export const recipeBlocks = () =>
  [...readFileSync("CONTRIBUTING.md", "utf8").matchAll(/^```(\w+)(?: ([^\n]+))?\n(.*?)^```$/gms)].map(
    ([, kind = "", file = "", text = ""]) => ({ kind, file, text }),
  );

/** The text after the change of a block of lines with " ", "-" and "+"; null unless it has their place once. */
export function patched(text: string, diff: string): string | null {
  const side = (without: string) =>
    diff
      .split("\n")
      .filter((line) => line !== "" && line[0] !== without)
      .map((line) => line.slice(1))
      .join("\n");
  const parts = text.split(side("+"));
  return parts.length === 2 ? parts.join(side("-")) : null;
}
