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

interface Thing {
  isThere(): boolean;
  debianPackage: string;
  /** Called before the Debian package is installed. */
  tryFirst?(): boolean;
}
const program = (name: string, debianPackage = name): Thing => ({ isThere: () => isOnPath(name), debianPackage });

/** What tests and benchmarks need of a machine beside Node.js and programs of the name of their Debian package. */
const THINGS: Record<string, Thing> = {
  PostgreSQL: {
    isThere: () => Boolean(process.env.TEST_DATABASE_URL ?? postgresBinaries()),
    debianPackage: "postgresql",
  },
  "PostgreSQL's programs": { isThere: () => postgresBinaries() !== undefined, debianPackage: "postgresql" },
  PgBouncer: { isThere: () => pgbouncerBinary() !== undefined, debianPackage: "pgbouncer" },
  Chromium: {
    isThere: () => findBrowser() !== undefined,
    debianPackage: "chromium",
    tryFirst: () => succeeds("npx", "playwright", "install", "chromium") || installPackage("chromium-headless-shell"),
  },
  etcd: program("etcd", "etcd-server"),
  aria2c: program("aria2c", "aria2"),
  HTTPie: program("http", "httpie"),
  Xvfb: program("Xvfb", "xvfb"),
  pip: program("pip3", "python3-pip"),
  "cryptography for Python": {
    isThere: () => succeeds("python3", "-c", "import cryptography"),
    debianPackage: "python3-cryptography",
  },
  "Python with venv": { isThere: () => findPython() !== undefined, debianPackage: "python3-venv" },
};

/** Whether this machine has it, which is installed if that needs no confirmation. Says so if it is missing. */
export function ensure(name: string): boolean {
  const { isThere, debianPackage, tryFirst = () => false } = THINGS[name] ?? program(name);
  if (isThere()) return true;
  loudly(`There is no ${name} on this machine. Trying to install one.`);
  if ((tryFirst() && isThere()) || (installPackage(debianPackage) && isThere())) return true;
  loudly(`GOING ON WITHOUT ${name}. Install it: apt-get install ${debianPackage}`);
  return false;
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
