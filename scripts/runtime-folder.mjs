// node scripts/runtime-folder.mjs <folder>: creates a folder in which `npm start` and the admin command run as they do
// here, with only what they load: no sources, no compilers. The Dockerfile builds its image from it. Next's standalone
// output knows neither server.ts nor the admin command.
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { nodeFileTrace } from "@vercel/nft";
import { upToDateBuild } from "./builds.mjs";
import { bundleOf } from "./bundled.mjs";

const ADMIN = join("scripts", "admin.mjs");
const START = join("scripts", "start.mjs");
/** Read by path, so no trace finds them: the migrations, and what Next looks for before its first page. */
const NAMED = [
  "next.config.mjs",
  join("scripts", "dotenv.mjs"),
  join("prisma", "schema.prisma"),
  join("prisma", "migrations"),
  join("node_modules", "next", "dist", "compiled", "webpack"),
  join("node_modules", "next", "dist", "compiled", "@babel", "runtime", "package.json"),
];
/** Packages that pino loads by name in its own thread, with LOG_FORMAT=pretty. */
const LOADED_BY_PINO = [
  join("pino", "lib", "worker.js"),
  join("thread-stream", "lib", "worker.js"),
  join("pino-pretty", "index.js"),
].map((path) => join("node_modules", path));
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

const [argument] = process.argv.slice(2);
const folder = resolve(argument ?? ".");
if (existsSync(folder)) {
  console.error("Usage: node scripts/runtime-folder.mjs <folder that does not exist yet>");
  process.exit(2);
}
process.chdir(join(import.meta.dirname, ".."));
process.on("exit", (status) => status === 0 || rmSync(folder, { recursive: true, force: true }));

const build = await upToDateBuild();
const admin = await bundleOf("scripts/admin.ts");
const traced = await filesLoadedBy([join(build, "server.mjs"), ADMIN, ...LOADED_BY_PINO]);
for (const path of new Set([...NAMED, ...traced, ...filesOfPages()])) copy(path);
for (const name of readdirSync(build)) if (!NOT_OF_A_RUN.includes(name)) copy(join(build, name));
write(join(".builds", "current"), basename(build));
write(ADMIN, admin);
write(
  START,
  `import "./dotenv.mjs";\n\nprocess.env.NODE_ENV = "production";\nawait import("../${build}/server.mjs");\n`,
);
write("package.json", JSON.stringify(packageJson(), null, 2));

async function filesLoadedBy(entries) {
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
function filesOfPages() {
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
function copy(path) {
  cpSync(path, join(folder, path), {
    recursive: true,
    verbatimSymlinks: true,
    // A route may be a folder with the name of a file.
    filter: (source) => lstatSync(source).isDirectory() || !NOT_READ.test(source),
  });
}

function write(path, text) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function packageJson() {
  const { name, version, license, type, engines } = JSON.parse(readFileSync("package.json", "utf8"));
  return {
    name,
    version,
    private: true,
    license,
    type,
    engines,
    scripts: { start: `exec node ${START}`, admin: `node ${ADMIN}` },
  };
}
