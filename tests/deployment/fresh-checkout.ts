import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";

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
