import { execFile, execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { Service } from "@/tests/processes/npm-start";
import { ownFolder } from "@/tests/support/place";
import { sendTo } from "@/tests/support/request";
import { copyInstalledSources, copySources, nodeVersion, patched, recipeBlocks } from "./fresh-checkout";

const place = ownFolder("checkouts");
chmodSync(place, 0o755);

const CHECKED_IN = ["tsconfig.json", "package.json", "package-lock.json", "next.config.mjs"];
const DAY_MS = 86_400_000;
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

/** The bytes of the package that is written in a new folder with this name. */
function packageIn(name: string, umask: string, { wrongBy = 0, user = 0, ...environment }) {
  const folder = join(place, name);
  copyInstalledSources(folder);
  // Not the packages: two folders share their files.
  if (user)
    execFileSync("find", [folder, "-name", "node_modules", "-prune", "-o", "-exec", "chown", `${user}`, "{}", "+"]);
  execFileSync("/bin/sh", ["-c", `umask ${umask} && exec "$0" scripts/package.mjs`, process.execPath], {
    cwd: folder,
    ...(user && { uid: user, gid: user }),
    env: {
      NODE_ENV: "production",
      PATH: process.env.PATH,
      HOME: folder,
      npm_config_cache: join(folder, "cache"),
      CLOCK_STARTS_WRONG_BY: String(wrongBy),
      NODE_OPTIONS: `--import ${resolve("tests/support/stepping-clock.mjs")}`,
      ...environment,
    },
    stdio: "pipe",
  });
  for (const file of CHECKED_IN) expect(readFileSync(join(folder, file), "utf8")).toBe(readFileSync(file, "utf8"));
  const [archive = "", ...others] = readdirSync(join(folder, "dist"));
  expect(others).toEqual([]);
  return readFileSync(join(folder, "dist", archive));
}

test("two machines write the same package from the same sources, byte for byte, and change no source by that", () => {
  const first = packageIn("a", "022", {});
  const otherwise = { AUTH_SECRET: "x".repeat(40), NEXTAUTH_URL: "https://keys.example" };
  const other = { wrongBy: 400 * DAY_MS, user: isRoot ? NOBODY : 0, ...otherwise };
  expect(packageIn("another place", "077", other).equals(first)).toBe(true);
  expect(first.length).toBeGreaterThan(10_000_000);
});

/** The README's first line and the main job, under each Node.js and npm that people have. */

const COMPILED = ["better-sqlite3", "better-sqlite3-12", "better-sqlite3-for-node-20"];
const READY_MADE = ["better-sqlite3", "better-sqlite3-13"];
const VERSIONS = [
  ["20.19.0", "10", COMPILED],
  ["20", "11", COMPILED],
  ["22", "10", READY_MADE],
  ["24", "11", READY_MADE],
  ["26", "12", READY_MADE],
] as const;

const run = promisify(execFile);

test.each(VERSIONS)("Node.js %s with npm %s installs, starts and does the main job", async (node, npm, bindings) => {
  const env = await nodeVersion(place, node, npm);
  const folder = join(place, `clone-${node}`);
  copySources(folder);
  const version = (await run("node", ["--version"], { env })).stdout;
  expect(version).toMatch(new RegExp(`^v${node.replaceAll(".", "\\.")}\\b`));
  await run("npm", ["ci"], { cwd: folder, env, maxBuffer: 100_000_000 });
  const packages = join(folder, "node_modules");
  expect(
    readdirSync(packages)
      .filter((name) => name.startsWith("better-sqlite3"))
      .sort(),
  ).toEqual(bindings);
  // Neither a compiler nor Python was asked for.
  expect(existsSync(join(packages, "better-sqlite3-13", "build"))).toBe(false);
  const settings = { ...(env as Record<string, string>), DATA_DIR: join(folder, "data"), LOG_LEVEL: "info" };
  await using service = new Service(settings, { folder, startedBy: "npm" });
  const origin = `http://127.0.0.1:${await service.port()}`;
  const admin = run("npm", ["run", "--silent", "admin", "--", "user:create", "alice"], { cwd: folder, env });
  admin.child.stdin?.end();
  const auth = JSON.parse((await admin).stdout).token;
  const { body } = await sendTo(origin, "/keys/create", { query: { auth, data: "the secret", price: "1.5" } });
  const read = await sendTo(origin, `/keys/get/${body?.key}`, { query: { auth } });
  expect(read.body).toMatchObject({ data: "the secret" });
  expect((await sendTo(origin, "/link/code")).body).toEqual({ code: expect.stringMatching(/^[A-Z]{6}$/) });
  expect((await sendTo(origin, "/link", { headers: { Accept: "text/html" } })).status).toBe(200);
  rmSync(folder, { recursive: true, force: true });
});

/** The environment without what a run of tests sets for those within it. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:VITEST|TEST|NODE_ENV|npm_)/.test(name)),
) as NodeJS.ProcessEnv;

test("the recipes of CONTRIBUTING.md, followed to the letter in a copy, pass every check", async () => {
  const cwd = join(place, "recipes");
  copyInstalledSources(cwd);
  cpSync("tests", join(cwd, "tests"), { recursive: true });
  execFileSync("git", ["init", "--quiet"], { cwd });
  for (const { kind, file, text } of recipeBlocks()) {
    if (kind === "sh")
      for (const line of text.trim().split("\n")) await run("sh", ["-c", line], { cwd, env: environment });
    else if (kind === "diff")
      writeFileSync(join(cwd, file), patched(readFileSync(join(cwd, file), "utf8"), text) ?? "");
    else if (file !== "") {
      expect(existsSync(join(cwd, file)), file).toBe(false);
      mkdirSync(dirname(join(cwd, file)), { recursive: true });
      writeFileSync(join(cwd, file), text);
    }
  }
});
