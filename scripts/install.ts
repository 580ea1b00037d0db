import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "playwright";
import { postgresBinaries } from "./postgres";
import { pgbouncerBinary } from "./scratch-server";

const TEN_MINUTES = 600_000;

/** Prints a line that must not be overlooked. */
export function loudly(line: string): void {
  console.error(`\n*** ${line}\n`);
}

/**
 * Whether tests have a PostgreSQL: a server at TEST_DATABASE_URL, or else its programs, which are installed if allowed.
 */
export const ensurePostgres = () =>
  ensure("PostgreSQL", () => Boolean(process.env.TEST_DATABASE_URL ?? postgresBinaries()), {
    debianPackage: "postgresql",
  });

/** Whether tests have a PgBouncer, which is installed if allowed. */
export const ensurePgBouncer = () =>
  ensure("PgBouncer", () => pgbouncerBinary() !== undefined, { debianPackage: "pgbouncer" });

/** Whether tests have a program, which is installed if allowed: its Debian package mostly has the same name. */
export const ensureProgram = (name: string, debianPackage = name) =>
  ensure(name, () => isOnPath(name), { debianPackage });

/** The Debian packages of a cluster, and whether this machine has their programs. */
export const CLUSTER_PACKAGES: Record<string, () => boolean> = {
  postgresql: () => postgresBinaries() !== undefined,
  patroni: () => isOnPath("patroni"),
  "etcd-server": () => isOnPath("etcd"),
  haproxy: () => isOnPath("haproxy"),
  pgbouncer: () => pgbouncerBinary() !== undefined,
};

/** Whether tests have all of these, which are installed if allowed. */
export const ensureCluster = () =>
  Object.entries(CLUSTER_PACKAGES).every(([name, isThere]) => ensure(name, isThere, { debianPackage: name }));

/** Whether tests have a Python that builds wheels, its type checker, and a package that verifies signatures. */
export const ensurePython = () =>
  ensureProgram("mypy") &&
  ensure("cryptography for Python", () => succeeds("python3", "-c", "import cryptography"), {
    debianPackage: "python3-cryptography",
  }) &&
  ensure("pip for Python", () => isOnPath("pip3"), { debianPackage: "python3-pip" }) &&
  ensure("Python with venv", () => findPython() !== undefined, { debianPackage: "python3-venv" });

/** Whether tests have a screen, two window managers, a mouse and a browser for it, which are installed if allowed. */
export const ensureDesktop = () =>
  ensureProgram("Xvfb", "xvfb") && ["openbox", "twm", "xdotool", "chromium"].every((name) => ensureProgram(name));

/** Whether tests have a Chromium, which is installed if allowed. */
export const ensureBrowser = () =>
  ensure("Chromium", () => findBrowser() !== undefined, {
    debianPackage: "chromium",
    tryFirst: () => succeeds("npx", "playwright", "install", "chromium") || installPackage("chromium-headless-shell"),
  });

/** `tryFirst` is called before the Debian package. */
function ensure(
  what: string,
  isThere: () => boolean,
  { debianPackage, tryFirst = () => false }: { debianPackage: string; tryFirst?: () => boolean },
): boolean {
  if (isThere()) return true;
  loudly(`There is no ${what} on this machine. Trying to install one.`);
  return (tryFirst() && isThere()) || (installPackage(debianPackage) && isThere());
}

/** Server programs are in /usr/sbin, which is on few users' PATH. */
export function isOnPath(program: string): boolean {
  return [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin"].some((folder) =>
    existsSync(join(folder, program)),
  );
}

/** Installs a Debian package if that needs no confirmation: as root, with apt-get. */
export function installPackage(name: string): boolean {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return false;
  return succeeds("apt-get", "update", "-q") && succeeds("apt-get", "install", "-qy", "--no-install-recommends", name);
}

/** Runs a program with its output on standard error. Returns false if it fails or takes too long. */
function succeeds(program: string, ...parameters: string[]): boolean {
  const environment = {
    ...process.env,
    DEBIAN_FRONTEND: "noninteractive",
    PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: "15000",
  };
  const { status } = spawnSync(program, parameters, {
    stdio: ["ignore", 2, 2],
    timeout: TEN_MINUTES,
    env: environment,
  });
  return status === 0;
}

/** A Chromium that starts on this machine: Playwright's own, or else an installed one; undefined if there is none. */
export function findBrowser(): string | undefined {
  const installed = [
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
  ].map((name) => `/usr/bin/${name}`);
  return [chromium.executablePath(), ...installed, "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"].find(
    starts,
  );
}

/** A download without its system libraries, and Ubuntu's placeholder package, exist but do not start. */
function starts(executable: string): boolean {
  if (!existsSync(executable)) return false;
  try {
    execFileSync(executable, ["--version", "--no-sandbox"], { timeout: 30_000, stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** In this order: setuptools wants to be the first. */
const NEEDED = "import setuptools, wheel, pip, ensurepip, venv, sys; sys.exit(sys.version_info < (3, 9))";

/** A Python that can build and install a wheel: the one on the PATH, or else Debian's; undefined if there is none. */
export function findPython(): string | undefined {
  return ["python3", "/usr/bin/python3"].find(
    (program) => spawnSync(program, ["-c", NEEDED], { stdio: "ignore" }).status === 0,
  );
}
