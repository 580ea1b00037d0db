// Builds live in .builds/<hash of what went into them>/; .builds/current names the one in use.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const BUILDS = ".builds";
const POINTER = join(BUILDS, "current");
const FOLDERS = ["app", "components", "lib", "server", "public", "prisma", "scripts/builds.mjs"];
const ROOT_FILES = /^(?:.*\.(?:tsx?|[cm]?js)|(?:package|package-lock|tsconfig)\.json)$/;
const MADE_BY_BUILDING = ["next-env.d.ts", join("prisma", "generated")];

/**
 * The folder of a build of the sources as they are, relative to the checkout, made first where there is none, after `beforeBuilding`. Of several
 * processes that ask at once, one builds and the others wait for it. Throws an Error where the build fails; the one in use stays.
 */
export async function upToDateBuild(beforeBuilding = () => {}) {
  const hash = hashOfSources();
  if (current() === hash && isComplete(hash)) return join(BUILDS, hash);
  beforeBuilding();
  return withLock(async () => {
    const previous = current();
    // Another process built it meanwhile; the one before may still be in use.
    if (previous === hash && isComplete(hash)) return join(BUILDS, hash);
    if (!isComplete(hash)) await build(hash);
    switchTo(hash);
    const kept = [hash, previous ?? hash];
    for (const { name } of readdirSync(BUILDS, { withFileTypes: true }).filter((entry) => entry.isDirectory() && !kept.includes(entry.name)))
      rmSync(join(BUILDS, name), { recursive: true, force: true });
    return join(BUILDS, hash);
  });
}

function hashOfSources() {
  const hash = createHash("sha256").update(process.version.split(".")[0]);
  const add = (path) => {
    if (MADE_BY_BUILDING.includes(path) || !existsSync(path)) return;
    if (statSync(path).isDirectory()) for (const name of readdirSync(path).sort()) add(join(path, name));
    else hash.update(`\0${path}\0`).update(readFileSync(path));
  };
  for (const path of [
    ...FOLDERS,
    ...readdirSync(".")
      .filter((name) => ROOT_FILES.test(name))
      .sort(),
  ])
    add(path);
  return hash.digest("hex").slice(0, 16);
}

function current() {
  return existsSync(POINTER) ? readFileSync(POINTER, "utf8").trim() : undefined;
}

function isComplete(hash) {
  return existsSync(join(BUILDS, hash, "complete"));
}

function switchTo(hash) {
  writeFileSync(`${POINTER}.next`, `${hash}\n`);
  renameSync(`${POINTER}.next`, POINTER);
}

async function build(hash) {
  const folder = join(BUILDS, hash);
  const started = Date.now();
  console.log("Building, about a minute…");
  rmSync(folder, { recursive: true, force: true });
  try {
    await run("node_modules/next/dist/bin/next", ["build"], { BUILD_DIR: folder, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" });
    const { build: bundle } = await import("esbuild");
    await bundle({
      entryPoints: ["server.ts"],
      outfile: join(folder, "server.mjs"),
      bundle: true,
      platform: "node",
      format: "esm",
      packages: "external",
      sourcemap: true,
      logLevel: "warning",
    });
    writeFileSync(join(folder, "complete"), "");
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  console.log(`Built in ${Math.round((Date.now() - started) / 1000)} s.`);
}

/** Runs a program of Node's; shows what it printed only where it fails. Ending this process ends it too. */
function run(program, parameters, environment) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...parameters], { env: { ...process.env, ...environment }, stdio: ["ignore", "pipe", "pipe"] });
    const printed = [];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => printed.push(chunk));
    const stop = (signal) => child.kill(signal);
    process.on("SIGTERM", stop).on("SIGINT", stop);
    child.once("error", reject);
    child.once("close", (code, signal) => {
      process.off("SIGTERM", stop).off("SIGINT", stop);
      if (code === 0) return resolve();
      process.stderr.write(Buffer.concat(printed));
      reject(new Error(`The build failed (${signal ?? `exit ${code}`}).`));
    });
  });
}

/** The lock is an open transaction on a small SQLite file: the operating system frees it when its owner dies. */
async function withLock(work) {
  const { default: Database } = await import("better-sqlite3");
  mkdirSync(BUILDS, { recursive: true });
  const lock = new Database(join(BUILDS, "lock"), { timeout: 0 });
  try {
    for (let waited = false; !taken(lock); waited = true) {
      if (!waited) console.log("Another process is building; waiting for it…");
      await sleep(200);
    }
    return await work();
  } finally {
    lock.close();
  }
}

function taken(lock) {
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if (!error.code?.startsWith("SQLITE_BUSY")) throw error;
    return false;
  }
}
