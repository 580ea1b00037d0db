import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { lacksMemory, MEMORY_ADVICE, planBuild, stepsOf } from "@/scripts/build-plan.mjs";
import { get } from "@/tests/server/service";
import { Service } from "./npm-start";

const NOT_COPIED = /^(?:\.git|\.next|\.builds|node_modules|data|test-results|tests|\.env.*)$/;

/**
 * In place of Next's compiler, which takes a minute (tests/deployment/checkouts.long.test.ts uses it): the pages of the
 * build before, if the configuration can be read, without the scripts that the build would compress for seconds.
 */
const COMPILER = `
const { cpSync } = require("node:fs");
const filter = (path) => !/\\/(?:complete|cache|compressed|static\\/chunks)$/.test(path);
const before = ".builds/" + require("node:fs").readFileSync(".builds/current", "utf8").trim();
import(require("node:path").resolve("next.config.mjs")).then(() =>
  cpSync(before, process.env.BUILD_DIR, { recursive: true, verbatimSymlinks: true, filter }),
);
`;

// Tests before these in their process may have narrowed it, as the service does. Nobody must read what is made here.
process.umask(0o022);

let folder: string;
/** A copy of the sources and of the build in use, with the packages of this one and that compiler. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "latchkey-checkout-"));
  for (const name of readdirSync("."))
    if (!NOT_COPIED.test(name)) cpSync(name, join(folder, name), { recursive: true });
  for (const name of ["current", readFileSync(".builds/current", "utf8").trim()])
    cpSync(join(".builds", name), join(folder, ".builds", name), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => basename(path) !== "cache" && !path.endsWith(".map"),
    });
  const compiler = "node_modules/next/dist/bin/next";
  // Everything beside the way to it is a link.
  for (let path = compiler; path !== "node_modules"; path = join(path, "..")) {
    const parent = join(path, "..");
    mkdirSync(join(folder, parent), { recursive: true });
    for (const name of readdirSync(parent))
      if (name !== basename(path)) symlinkSync(resolve(parent, name), join(folder, parent, name));
  }
  writeFileSync(join(folder, compiler), COMPILER);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const current = () => readFileSync(join(folder, ".builds", "current"), "utf8").trim();
const builds = () =>
  readdirSync(join(folder, ".builds"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

const build = () => spawnSync(process.execPath, ["scripts/build.mjs"], { cwd: folder, encoding: "utf8" });

test(
  "changed sources are built beside the build in use, which keeps answering; of two at once on an empty " +
    "database, one builds and one migrates",
  async () => {
    const inUse = current();
    await using old = new Service({}, { folder });
    const oldPort = await old.port();
    expect(old.output).not.toContain("Buil");
    appendFileSync(join(folder, "lib", "platform", "errors.ts"), "\n// Changed.\n");
    const environment = { DATA_DIR: join(folder, "data of two"), LOG_LEVEL: "info" };
    await using first = new Service(environment, { folder });
    await using second = new Service(environment, { folder });
    for (const service of [first, second]) {
      const port = await service.port();
      for (const path of ["/health", "/signup"]) expect((await get(port, path)).status).toBe(200);
    }
    for (const words of ["Built in", "migrated the database"])
      expect([first, second].map(({ output }) => output.includes(words)).sort()).toEqual([false, true]);
    expect(current()).not.toBe(inUse);
    expect(builds()).toEqual([inUse, current()].sort());
    expect(existsSync(join(folder, ".builds", "current.next"))).toBe(false);
    expect((await get(oldPort, "/signin")).status).toBe(200);
  },
);

test("a build that fails leaves the one before in place, and the next one has nothing to do", async () => {
  const before = [current(), builds()];
  const broken = join(folder, "next.config.mjs");
  const source = readFileSync(broken, "utf8");
  writeFileSync(broken, "export default {");
  await using service = new Service({}, { folder });
  expect([await service.exit(), service.output]).toEqual([1, expect.stringContaining("The build failed")]);
  expect([current(), builds()]).toEqual(before);

  writeFileSync(broken, source);
  const { status, stdout, stderr } = build();
  expect([status, stdout, stderr]).toEqual([0, `The build is in ${join(".builds", current())}.\n`, ""]);
});

test("the database clients follow their schema, also where npm runs no scripts", () => {
  appendFileSync(join(folder, "prisma", "schema.prisma"), "\nmodel Later {\n  id String @id\n}\n");
  const { status, stderr } = build();
  expect([status, stderr]).toEqual([0, expect.stringContaining("Built in")]);
  const client = readFileSync(join(folder, "prisma", "generated", "sqlite", "client.ts"), "utf8");
  expect(client).toContain("type Later =");
});

test("a build that the system ends for lack of memory says so, and what to do", async () => {
  const compiler = join(folder, "node_modules/next/dist/bin/next");
  const source = join(folder, "lib", "platform", "errors.ts");
  const before = readFileSync(source, "utf8");
  appendFileSync(source, "\n// Changed for a build that is killed.\n");
  writeFileSync(compiler, 'process.kill(process.pid, "SIGKILL");');
  try {
    const { status, stderr } = build();
    expect([status, stderr]).toEqual([1, expect.stringContaining(`The build failed (SIGKILL). ${MEMORY_ADVICE}`)]);
  } finally {
    writeFileSync(compiler, COMPILER);
    writeFileSync(source, before);
  }
});

test("with little memory a build runs on one processor, its pages after its compiler; with more, it takes few", () => {
  expect(planBuild(1_000_000_000, 16)).toEqual({ isSmall: true, workers: 1 });
  expect(planBuild(2_000_000_000, 16)).toEqual({ isSmall: false, workers: 3 });
  expect(planBuild(64_000_000_000, 16)).toEqual({ isSmall: false, workers: 16 });
  const modes = (bytes: number) => stepsOf(planBuild(bytes, 2), {}).map(({ command }) => command.at(-1));
  expect([modes(1_000_000_000), modes(4_000_000_000)]).toEqual([["compile", "generate"], ["build"]]);
  const [small] = stepsOf(planBuild(1_000_000_000, 2), { NODE_OPTIONS: "--enable-source-maps" });
  expect(small?.variables.NODE_OPTIONS).toBe("--enable-source-maps --max-old-space-size=256");
  expect(lacksMemory(1, null, "Next.js build worker exited with code: null and signal: SIGKILL")).toBe(true);
  expect(lacksMemory(1, null, "Type error")).toBe(false);
});

/** What `npm run build` says in a folder without a build, with what `prepare` puts there. Its exit is checked. */
function refusedBuild(prepare: (folder: string) => void): string {
  const empty = mkdtempSync(join(tmpdir(), "latchkey-no-build-"));
  try {
    mkdirSync(join(empty, "scripts"));
    for (const name of readdirSync("scripts").filter((name) => name.endsWith(".mjs")))
      cpSync(join("scripts", name), join(empty, "scripts", name));
    writeFileSync(join(empty, "package.json"), '{"type":"module"}');
    for (const name of ["schema.prisma", "generated/from"]) {
      mkdirSync(dirname(join(empty, "prisma", name)), { recursive: true });
      cpSync(join("prisma", name), join(empty, "prisma", name));
    }
    prepare(empty);
    // Root may write everywhere.
    const asNobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const { status, stderr } = spawnSync(process.execPath, [join(empty, "scripts", "build.mjs")], {
      env: { NODE_ENV: "test" },
      encoding: "utf8",
      ...asNobody,
    });
    expect(status).toBe(1);
    return stderr;
  } finally {
    chmodSync(empty, 0o755);
    rmSync(empty, { recursive: true });
  }
}

test("where there is no build and none can be made, that is said in a sentence", () => {
  const said = refusedBuild((empty) => {
    symlinkSync(resolve("node_modules"), join(empty, "node_modules"));
    chmodSync(empty, 0o555);
  });
  expect(said).toMatch(
    /^There is no build of these sources, and none can be made here: .*\.builds cannot be written to \(\w+\)\. .+\n$/,
  );
});

test.each([
  ["without their scripts", ["better-sqlite3", "better-sqlite3-12", "better-sqlite3-13"]],
  ["for another Node.js", ["better-sqlite3"]],
])("where the packages were installed %s, that is said, too", (_, installed) => {
  const said = refusedBuild((empty) => {
    const packages = join(empty, "node_modules");
    mkdirSync(join(packages, "prisma"), { recursive: true });
    for (const name of ["bindings", "file-uri-to-path"])
      symlinkSync(resolve("node_modules", name), join(packages, name));
    for (const name of installed.filter((one) => existsSync(join("node_modules", one))))
      cpSync(join("node_modules", name), join(packages, name), {
        recursive: true,
        filter: (path) => !/^(?:build|prebuilds)$/.test(basename(path)),
      });
    chmodSync(empty, 0o755);
  });
  expect(said).toBe(
    `The package better-sqlite3 is not installed for Node.js ${process.version} on this system. Run npm ci with ` +
      "this Node.js. Before 22.14, its install script must be allowed (after npm ci --ignore-scripts: npm rebuild " +
      "better-sqlite3-12), and reach GitHub, or find Python, a C++ compiler and Node's headers; 22.14 and later need " +
      "none of it.\n",
  );
});

test("the folder that the image is made of is made in a new folder only", () => {
  const { status, stderr } = spawnSync(process.execPath, ["scripts/package.mjs", tmpdir()], { encoding: "utf8" });
  expect([status, stderr]).toEqual([1, `${tmpdir()} exists already: name a folder that does not.\n`]);
});
