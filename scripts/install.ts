import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const MINUTES = 60_000;

/** Runs a program with its output on standard error. False when it fails or takes longer than ten minutes. */
export function succeeds(program: string, ...parameters: string[]): boolean {
  const environment = { ...process.env, DEBIAN_FRONTEND: "noninteractive", PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: "15000" };
  const { status } = spawnSync(program, parameters, { stdio: ["ignore", 2, 2], timeout: 10 * MINUTES, env: environment });
  return status === 0;
}

/** Installs a Debian package where that can be done without asking anybody: as root, with apt-get. */
export function installPackage(name: string): boolean {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return false;
  return succeeds("apt-get", "update", "-q") && succeeds("apt-get", "install", "-qy", "--no-install-recommends", name);
}
