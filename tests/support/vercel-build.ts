import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { copyInstalledSources } from "./fresh-checkout";

/**
 * The newest tested version. It brings 300 packages, so it is not a dependency of ours but fetched for the test alone.
 */
const CLI = "vercel@60.1.3";

/**
 * Vercel's command-line program: the one at VERCEL_CLI, or else fetched from the registry into a folder that later runs
 * reuse.
 */
function commandLine(): string {
  if (process.env.VERCEL_CLI) return process.env.VERCEL_CLI;
  const folder = resolve("node_modules", ".cache", CLI);
  const program = join(folder, "node_modules", ".bin", "vercel");
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  execFileSync("npm", ["install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", CLI], {
    stdio: "ignore",
  });
  return program;
}

export interface VercelBuild {
  folder: string;
  output: string;
  /** Builds as Vercel does, in production or for a preview; returns its status and output. */
  build(
    kind: "production" | "preview",
    environment: Record<string, string>,
  ): { status: number | null; printed: string };
  remove(): void;
}

/**
 * A copy of the sources with a database and a secret beside them, as an operator's folder may have. It needs no
 * account.
 */
export function vercelCheckout(): VercelBuild {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-vercel-build-"));
  copyInstalledSources(folder);
  for (const name of ["data", ".vercel"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "data", "latchkey.db"), "a database");
  writeFileSync(join(folder, "data", "secret"), "a secret ".repeat(8));
  writeFileSync(
    join(folder, ".vercel", "project.json"),
    JSON.stringify({ projectId: "prj_local", orgId: "team_local", settings: { installCommand: "true" } }),
  );
  return {
    folder,
    output: join(folder, ".vercel", "output"),
    build(kind, environment) {
      const target = kind === "production" ? ["--prod"] : ["--target=preview"];
      const ended = spawnSync(process.execPath, [commandLine(), "build", "--yes", "--standalone", ...target], {
        cwd: folder,
        env: {
          PATH: process.env.PATH,
          NODE_ENV: "production",
          HOME: folder,
          VERCEL_TELEMETRY_DISABLED: "1",
          VERCEL_ENV: kind,
          ...environment,
        },
        encoding: "utf8",
      });
      return { status: ended.status, printed: ended.stdout + ended.stderr };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
