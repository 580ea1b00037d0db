import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { ensurePostgres, installPackage, loudly } from "@/scripts/install";
import { nginxProgram } from "./peers/nginx";

/** Installs the peers and creates the build; returns what is unavailable. */
export async function prepare(): Promise<{ hasPostgres: boolean; missing: string[] }> {
  installPeers();
  execFileSync(process.execPath, ["scripts/build.mjs"], { stdio: "inherit" });
  const missing: string[] = [];
  const hasPostgres = ensurePostgres();
  if (!hasPostgres) missing.push("PostgreSQL: everything is measured on SQLite only");
  if (!nginxProgram()) {
    loudly("There is no nginx on this machine. Trying to install one.");
    installPackage("nginx-light");
  }
  if (!nginxProgram()) missing.push("nginx: files are compared with everything else");
  return { hasPostgres, missing };
}

/** They have their own package.json, so that the service stays light. */
function installPeers(): void {
  const installed = "bench/node_modules/.package-lock.json";
  const versions = (path: string) =>
    JSON.stringify(JSON.parse(readFileSync(path, "utf8")).packages["node_modules/better-auth"]?.version);
  if (existsSync(installed) && versions(installed) === versions("bench/package-lock.json")) return;
  console.log("Installing the peers that Latchkey is compared with…");
  execFileSync("npm", ["ci", "--prefix", "bench", "--no-audit", "--no-fund"], { stdio: "inherit" });
}
