// npm run package: writes dist/latchkey-<version>-<system>.tar.gz, which runs wherever there is Node.js: the files that
// the service and the admin command load, with the build, and no sources or compilers. The same sources give the same
// bytes, whatever the folder, the clock and the user. `npm run package -- <folder>` writes a folder instead, from which
// the Dockerfile makes its image. Next's standalone output knows neither server.ts nor the admin command.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { nodeFileTrace } from "@vercel/nft";
import { create, extract } from "tar";
import { upToDateBuild } from "./builds.mjs";
import { bundleOf } from "./bundled.mjs";
import { licenceOf } from "./clients/bundle.mjs";

const ADMIN = join("scripts", "admin.mjs");
const START = join("scripts", "start.mjs");
/** No trace finds them: what people read, the migrations, and what Next looks for before its first page. */
const NAMED = [
  "latchkey",
  "LICENSE",
  ".env.example",
  "next.config.mjs",
  join("scripts", "dotenv.mjs"),
  join("prisma", "schema.prisma"),
  join("prisma", "migrations"),
  join("node_modules", "next", "dist", "compiled", "webpack"),
  join("node_modules", "next", "dist", "compiled", "@babel", "runtime", "package.json"),
];
/** Parts of a build that only the next build and type checks need. */
const NOT_OF_A_RUN = ["cache", "diagnostics", "trace", "trace-build", "turbopack", "types"];
/** Not read by the running service. */
const NOT_READ = /\.(?:map|nft\.json|[cm]?tsx?|md)$/;
/** A binding for other systems. That of this one may be for either libc. */
const isForeign = (path) =>
  path.includes("/prebuilds/") && !(path.includes(`/${process.platform}`) && path.endsWith(`-${process.arch}.node`));
/** Loaded by Next only for building, or for pictures, of which there are none. Our own sources are in the build. */
const isNotLoaded = (path) =>
  !/^(?:node_modules|\.builds)\//.test(path) ||
  isForeign(path) ||
  /^node_modules\/(?:@next\/swc-|@img\/|sharp\/|typescript\/|esbuild\/)/.test(path);

const SQLITE = "better-sqlite3-13";
/** Of every file in the archive: 1 January 2000. */
const TIME = new Date(946_684_800_000);

const [argument] = process.argv.slice(2);
const root = join(import.meta.dirname, "..");
const given = argument && resolve(process.env.INIT_CWD ?? ".", argument);
process.chdir(root);
const { name, version, license, type, engines } = JSON.parse(readFileSync("package.json", "utf8"));
try {
  if (given) await writeFolder(given);
  else console.log(`The package is ${await writeArchive()}`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

/** Returns the path of the archive. */
async function writeArchive() {
  // The binding for it is compiled. That for later versions is in the registry.
  if (process.versions.modules !== "115")
    throw new Error(
      `Use Node.js 20 to write a package: then it runs on 20, 22, 24 and later. This is ${process.version}.`,
    );
  mkdirSync("dist", { recursive: true });
  const place = mkdtempSync(join("dist", "unfinished-"));
  process.on("exit", () => rmSync(place, { recursive: true, force: true }));
  const top = `${name}-${version}`;
  const folder = join(place, top);
  // Between them, the other binding would have to be compiled.
  await writeFolder(folder, `^${engines.node.replace(">=", "")} || >=22.14`);
  await addSqlite(join(folder, "node_modules", SQLITE), place);
  const paths = pathsIn(folder);
  for (const path of paths) setMode(join(folder, path));
  const libc = process.platform !== "linux" || process.report.getReport().header.glibcVersionRuntime ? "" : "musl";
  const file = join("dist", `${top}-${process.platform}${libc}-${process.arch}.tar.gz`);
  // Without names of users, and without the time in gzip's header.
  const form = { cwd: place, portable: true, mtime: TIME, gzip: { level: 9, portable: true } };
  await create(
    { ...form, file: join(place, "archive") },
    paths.map((path) => `${top}/${path}`),
  );
  renameSync(join(place, "archive"), file);
  return file;
}

/** Writes what a run needs into a new folder. `node` is which versions of Node.js it then supports. */
async function writeFolder(folder, node = engines.node) {
  if (existsSync(folder)) throw new Error(`${folder} exists already: name a folder that does not.`);
  process.on("exit", (status) => status === 0 || rmSync(folder, { recursive: true, force: true }));
  const build = await upToDateBuild();
  const admin = await bundleOf("scripts/admin.ts");
  const traced = await filesLoadedBy([join(build, "server.mjs"), ADMIN], admin);
  const copy = (path) => copyInto(folder, path);
  for (const path of new Set([...NAMED, ...traced, ...filesOfPages(build)])) copy(path);
  for (const part of readdirSync(build)) if (!NOT_OF_A_RUN.includes(part)) copy(join(build, part));
  const write = (path, text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write(join(".builds", "current"), basename(build));
  write(ADMIN, admin);
  write(
    START,
    `import "./dotenv.mjs";\n\nprocess.env.NODE_ENV = "production";\nawait import("../${build}/server.mjs");\n`,
  );
  const scripts = { start: `exec node ${START}`, admin: `node ${ADMIN}` };
  const manifest = { name, version, private: true, license, type, engines: { node }, scripts };
  write("package.json", JSON.stringify(manifest, null, 2));
  write("THIRD-PARTY.txt", packagesOfARun().map(licenceOf).join("\n"));
}

/** The packages whose code is in the folder, copied or bundled. */
function packagesOfARun() {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  return Object.entries(packages)
    .filter(
      ([path, { dev }]) => path.startsWith("node_modules/") && !dev && !isNotLoaded(`${path}/`) && existsSync(path),
    )
    .map(([path]) => path.slice("node_modules/".length))
    .sort();
}

/** The binding to SQLite that npm leaves out on Node.js 20 (lib/platform/db/binding). */
async function addSqlite(folder, place) {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const { name: sqlite, version: exact, integrity } = packages[`node_modules/${SQLITE}`];
  const parameters = ["pack", `${sqlite}@${exact}`, "--json", "--pack-destination", place];
  const [packed] = JSON.parse(
    execFileSync("npm", parameters, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }),
  );
  if (packed.integrity !== integrity) throw new Error(`${sqlite} ${exact} is not what package-lock.json says.`);
  mkdirSync(folder, { recursive: true });
  const isLoaded = (path) => /^package\/(?:package\.json$|LICENSE$|lib\/|prebuilds\/)/.test(path) && !isForeign(path);
  await extract({ file: join(place, packed.filename), cwd: folder, strip: 1, filter: isLoaded });
}

/** Paths of the files and links in a folder, in one order on every system. */
function pathsIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

/** As it is without a umask. */
function setMode(path) {
  const file = lstatSync(path);
  if (!file.isSymbolicLink()) chmodSync(path, file.mode & 0o100 ? 0o755 : 0o644);
}

async function filesLoadedBy(entries, admin) {
  const { fileList } = await nodeFileTrace(entries, {
    ignore: (path) => path !== ADMIN && isNotLoaded(path),
    readFile: (path) => (path === resolve(ADMIN) ? admin : isFile(path) ? readFile(path) : null),
  });
  return [...fileList].filter((path) => path !== ADMIN);
}

/** The trace probes many possible names; null says that there is no file. */
function isFile(path) {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** The files that each page loads, according to the build. */
function filesOfPages(build) {
  const traces = readdirSync(build, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".nft.json"));
  return traces.flatMap((name) => {
    const file = join(build, name);
    const paths = JSON.parse(readFileSync(file, "utf8")).files.map((path) =>
      relative(".", resolve(dirname(file), path)),
    );
    return paths.filter((path) => !isNotLoaded(path));
  });
}

/** Symlinks stay symlinks: the build refers to packages through some of its own. */
function copyInto(folder, path) {
  cpSync(path, join(folder, path), {
    recursive: true,
    verbatimSymlinks: true,
    // A route may be a folder with the name of a file.
    filter: (source) => lstatSync(source).isDirectory() || !NOT_READ.test(source),
  });
}
