import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { findBrowser } from "./browser";
import { pgbouncerBinary } from "./pgbouncer";
import { postgresBinaries } from "./postgres";
import { redisBinary } from "./redis";

const TEN_MINUTES = 600_000;

/** Says something that must not be overlooked. */
export function loudly(line: string): void {
  console.error(`\n*** ${line}\n`);
}

/** Whether tests have a PostgreSQL: a server at TEST_DATABASE_URL, else its programs, which are installed where that is allowed. */
export function ensurePostgres(): boolean {
  const isThere = () => Boolean(process.env.TEST_DATABASE_URL ?? postgresBinaries());
  if (isThere()) return true;
  loudly("There is no PostgreSQL on this machine. Trying to install one.");
  return installPackage("postgresql") && isThere();
}

/** Whether tests have a Redis, which is installed where that is allowed. */
export function ensureRedis(): boolean {
  const isThere = () => redisBinary() !== undefined;
  if (isThere()) return true;
  loudly("There is no Redis on this machine. Trying to install one.");
  return installPackage("redis-server") && isThere();
}

/** Whether tests have a PgBouncer, which is installed where that is allowed. */
export function ensurePgBouncer(): boolean {
  const isThere = () => pgbouncerBinary() !== undefined;
  if (isThere()) return true;
  loudly("There is no PgBouncer on this machine. Trying to install one.");
  return installPackage("pgbouncer") && isThere();
}

/** Whether tests have a Chromium, which is installed where that is allowed. */
export function ensureBrowser(): boolean {
  const isThere = () => findBrowser() !== undefined;
  if (isThere()) return true;
  loudly("There is no Chromium on this machine. Trying to install one.");
  if (succeeds("npx", "playwright", "install", "chromium") && isThere()) return true;
  return installPackage("chromium") && isThere();
}

/** Installs a Debian package where that can be done without asking anybody: as root, with apt-get. */
export function installPackage(name: string): boolean {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return false;
  return succeeds("apt-get", "update", "-q") && succeeds("apt-get", "install", "-qy", "--no-install-recommends", name);
}

/** Runs a program with its output on standard error. False when it fails or takes too long. */
function succeeds(program: string, ...parameters: string[]): boolean {
  const environment = { ...process.env, DEBIAN_FRONTEND: "noninteractive", PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: "15000" };
  const { status } = spawnSync(program, parameters, { stdio: ["ignore", 2, 2], timeout: TEN_MINUTES, env: environment });
  return status === 0;
}
