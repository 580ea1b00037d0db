// Builds are in .builds/<hash of their sources>/; .builds/current names the one in use.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { lacksMemory, MEMORY_ADVICE, planBuild, stepsOf } from "./build-plan.mjs";
import { installedDatabase } from "./installed.mjs";
import { hashOfSources, keyOfActionNames } from "./sources.mjs";

const BUILDS = ".builds";
const POINTER = join(BUILDS, "current");
/** Texts only: pictures and fonts are compressed already. */
const TEXTS = /\.(?:css|js|json|svg)$/;

/**
 * The folder of a build of the current sources, relative to the checkout. If missing, it is built first, after
 * `beforeBuilding`. Of several concurrent processes, one builds and the others wait. Throws an Error if the build
 * fails (the one in use stays), or if the packages were installed for another Node.js.
 */
export async function upToDateBuild(beforeBuilding = () => {}) {
  const Database = await installedDatabase();
  const hash = hashOfSources().slice(0, 16);
  if (current() === hash && isComplete(hash)) return join(BUILDS, hash);
  beforeBuilding();
  return withLock(Database, async () => {
    const previous = current();
    // Another process built it meanwhile; the previous one may still be in use.
    if (previous === hash && isComplete(hash)) return join(BUILDS, hash);
    if (!isComplete(hash)) await build(hash);
    switchTo(hash);
    const retained = [hash, previous ?? hash];
    for (const { name } of readdirSync(BUILDS, { withFileTypes: true }).filter(
      (entry) => entry.isDirectory() && !retained.includes(entry.name),
    ))
      rmSync(join(BUILDS, name), { recursive: true, force: true });
    return join(BUILDS, hash);
  });
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

/** Packages of many small files, each of which Node.js would look for and read at every start. */
const BUNDLED = /^(?:zod|rate-limiter-flexible|ipaddr\.js|@hono\/node-server)(?:\/|$)/;

/** How esbuild makes files of our code that Node.js starts. All other packages are found in node_modules. */
export const FOR_NODE = {
  bundle: true,
  platform: "node",
  format: "esm",
  logLevel: "warning",
  // CommonJS among these packages asks for modules of Node.js by it.
  banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  plugins: [
    {
      name: "packages",
      setup: ({ onResolve }) =>
        onResolve({ filter: /^(?:[^@./]|@[^/])/ }, ({ path, kind, importer }) =>
          kind === "entry-point" || BUNDLED.test(path) || importer.includes("node_modules")
            ? undefined
            : { path, external: true },
        ),
    },
  ],
};

async function build(hash) {
  const folder = join(BUILDS, hash);
  const started = Date.now();
  console.error("Building, about a minute…");
  rmSync(folder, { recursive: true, force: true });
  try {
    for (const { command, variables } of stepsOf(planBuild(process.availableMemory(), availableParallelism())))
      await run(command, {
        ...variables,
        BUILD_DIR: folder,
        NODE_ENV: "production",
        NEXT_TELEMETRY_DISABLED: "1",
        NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: keyOfActionNames(),
      });
    await run([process.execPath, "--import", "tsx", "scripts/action-limits.ts", folder], { NODE_ENV: "production" });
    const { build: bundle } = await import("esbuild");
    await bundle({
      entryPoints: ["server.ts"],
      outdir: folder,
      outExtension: { ".js": ".mjs" },
      ...FOR_NODE,
      // Dynamic imports are files of their own, beside it, because the code looks for the build's files in its folder.
      splitting: true,
      chunkNames: "[name]-[hash]",
      sourcemap: true,
    });
    await compressAssets(folder);
    makeReproducible(folder);
    writeFileSync(join(folder, "complete"), "");
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  console.error(`Built in ${Math.round((Date.now() - started) / 1000)} s.`);
}

/**
 * Replaces what differs between two builds of the same sources: the checkout's folder, which no run needs, and Next's
 * random keys for previews. Latchkey has no previews, and whoever knows the key of a published build could skip
 * proxy.ts and stored pages: no header or cookie can contain half of a surrogate pair, so nobody can send the new one.
 * (Next sends the key to itself where an action revalidates a path or tag and redirects, which would fail: none does.)
 */
function makeReproducible(folder) {
  const replace = (name, change) => writeFileSync(join(folder, name), change(readFileSync(join(folder, name), "utf8")));
  const checkout = JSON.stringify(resolve()).slice(1, -1);
  for (const name of ["required-server-files.js", "required-server-files.json"])
    replace(name, (text) => text.replaceAll(checkout, "."));
  for (const name of ["prerender-manifest.json", join("server", "preview-props.json")])
    replace(name, (text) => text.replace(/("previewMode\w+": ?)"[0-9a-f]+"/g, String.raw`$1"\ud800"`));
}

/** Runs a program; shows its output only if it fails. Ending this process ends it too. */
function run([program, ...parameters], environment) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, parameters, {
      env: { ...process.env, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const printed = [];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => printed.push(chunk));
    const stop = (signal) => child.kill(signal);
    process.on("SIGTERM", stop).on("SIGINT", stop);
    child.once("error", reject);
    child.once("close", (code, signal) => {
      process.off("SIGTERM", stop).off("SIGINT", stop);
      if (code === 0) return resolve();
      const output = Buffer.concat(printed);
      process.stderr.write(output);
      const why = lacksMemory(code, signal, output.toString()) ? ` ${MEMORY_ADVICE}` : "";
      reject(new Error(`The build failed (${signal ?? `exit ${code}`}).${why}`));
    });
  });
}

/** The lock is an open transaction on a small SQLite file: the operating system frees it when its owner dies. */
async function withLock(Database, work) {
  const lock = openLock(Database);
  try {
    for (let waited = false; !isAcquired(lock); waited = true) {
      if (!waited) console.error("Another process is building; waiting for it…");
      await sleep(200);
    }
    return await work();
  } finally {
    lock.close();
  }
}

function openLock(Database) {
  try {
    mkdirSync(BUILDS, { recursive: true });
    return new Database(join(BUILDS, "lock"), { timeout: 0 });
  } catch (error) {
    const why = `${resolve(BUILDS)} cannot be written to (${error.code})`;
    throw new Error(
      `There is no build of these sources, and none can be made here: ${why}. Run npm run build where it ` +
        "can, and bring .builds along.",
    );
  }
}

function isAcquired(lock) {
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if (!error.code?.startsWith("SQLITE_BUSY")) throw error;
    return false;
  }
}

/**
 * Compresses a build's assets as far as possible, into a folder that Next does not serve (server/compressed-assets.ts
 * does). Forms that save nothing are left out.
 */
export async function compressAssets(build) {
  const assets = join(build, "static");
  if (!existsSync(assets)) return;
  const names = readdirSync(assets, { recursive: true, encoding: "utf8" }).filter((name) => TEXTS.test(name));
  await Promise.all(
    names.map(async (name) => {
      const plain = readFileSync(join(assets, name));
      const forms = {
        br: await promisify(brotliCompress)(plain, {
          params: { [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
        }),
        gz: await promisify(gzip)(plain, { level: constants.Z_BEST_COMPRESSION }),
      };
      const compressed = join(build, "compressed", name);
      mkdirSync(dirname(compressed), { recursive: true });
      for (const [suffix, bytes] of Object.entries(forms))
        if (bytes.length < plain.length) writeFileSync(`${compressed}.${suffix}`, bytes);
    }),
  );
}
