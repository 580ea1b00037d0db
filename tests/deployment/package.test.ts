import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { PAGES } from "@/lib/platform/http/pages";
import manifest from "@/package.json";
import { Service } from "@/tests/processes/npm-start";
import { ownFolder } from "@/tests/support/place";
import { sendTo } from "@/tests/support/request";
import { signInByPassword } from "@/tests/support/user";

/**
 * What somebody downloads, or the image is made of, run where no checkout and no other program is: whatever it loads
 * and has not, fails here. checkouts.long.test.ts compares the bytes of two.
 */

const MB = 1_000_000;
const PASSWORD = "four words of a test";
const run = promisify(execFile);

const place = ownFolder("package");
const folder = join(place, `latchkey-${manifest.version}`);
const elsewhere = join(place, "elsewhere");
const DATA_DIR = join(place, "data");
const PATH = join(place, "bin");
/** It contains a binding to SQLite that is compiled for Node.js 20. */
const isWritable = process.versions.modules === "115";

beforeAll(async () => {
  for (const made of [elsewhere, PATH]) mkdirSync(made);
  symlinkSync(process.execPath, join(PATH, "node"));
  symlinkSync("/usr/bin/env", join(PATH, "env"));
  const writing = run("npm", ["run", "--silent", "package"]);
  if (isWritable) {
    const [, archive = ""] = /^The package is (.*)\n$/.exec((await writing).stdout) ?? [];
    await run("tar", ["xzf", archive, "-C", place]);
  } else {
    await expect(writing).rejects.toMatchObject({ stderr: expect.stringContaining("Use Node.js 20") });
    await run("npm", ["run", "--silent", "package", "--", folder]);
  }
});

/** Called from a folder that is not its own. */
async function admin(...sent: string[]) {
  const command = run(join(folder, "latchkey"), sent, {
    cwd: elsewhere,
    env: { PATH, DATA_DIR, NODE_ENV: "production" },
  });
  command.child.stdin?.end(`${PASSWORD}\n`);
  return JSON.parse((await command).stdout);
}

test("is smaller than 110 MB, has no sources in it, and the licences of what it has", () => {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const sizes = files.map(({ parentPath, name }) => statSync(join(parentPath, name)).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(110 * MB);
  const folders = [".builds", "node_modules", "prisma", "scripts"];
  const names = [".env.example", "LICENSE", "THIRD-PARTY.txt", "latchkey", "next.config.mjs", "package.json"];
  expect(readdirSync(folder).sort()).toEqual([...folders, ...names].sort());
  expect(readdirSync(join(folder, "scripts")).sort()).toEqual(["admin.mjs", "dotenv.mjs", "start.mjs"]);
  expect(files.filter(({ name }) => /\.(?:tsx?|map|nft\.json)$/.test(name))).toEqual([]);
  const licences = readFileSync(join(folder, "THIRD-PARTY.txt"), "utf8");
  for (const one of ["next", "react", "pg", "zod", "better-sqlite3-1[23]"])
    expect(licences).toMatch(new RegExp(`^${one} [0-9.]+: [A-Z]`, "m"));
});

test("runs every page, the API and the admin command, and writes its log for people, too", async () => {
  const settings = { DATA_DIR, LOG_LEVEL: "info", LOG_FORMAT: "pretty" };
  await using service = new Service({ ...settings, PATH }, { folder, startedBy: "latchkey" });
  const origin = `http://127.0.0.1:${await service.port()}`;
  const { token } = await admin("user:create", "alice");
  await admin("backup", "a file of this folder");
  expect(readdirSync(elsewhere)).toEqual(["a file of this folder"]);
  expect((await sendTo(origin, "/me", { query: { auth: token } })).body).toMatchObject({ username: "alice" });
  expect((await sendTo(origin, "/link/code")).body).toEqual({ code: expect.stringMatching(/^[A-Z]{6}$/) });
  const Accept = "text/html";
  const headers = { Accept, Cookie: await signInByPassword(origin, "alice", PASSWORD) };
  const statusOf = async (path: string, sent: Record<string, string>) =>
    `${path} ${(await sendTo(origin, path, { headers: sent })).status}`;
  const files = ["/docs/examples/desktop.mjs", "/client.mjs", "/client.d.mts", "/icon.svg", "/favicon.ico"];
  for (const path of ["/signup", "/signin", "/openapi.json", ...files])
    expect(await statusOf(path, { Accept })).toBe(`${path} 200`);
  for (const path of [...PAGES].filter((page) => /^\/(?:docs.*|link|keys|files|account)?$/.test(page)))
    expect(await statusOf(path, headers)).toBe(`${path} 200`);
  expect(await statusOf("/docs/try", headers)).toBe("/docs/try 308");
  expect(await statusOf("/nothing", headers)).toBe("/nothing 404");
  expect(await admin("doctor")).toMatchObject({ ok: true });
  await expect.poll(() => service.output).toMatch(/^\[[\d:.]+\] INFO: .*"route":"\/me"/m);
  expect(service.output).not.toMatch(/\] (?:WARN|ERROR|FATAL):/);
});

test("has the packages that only some configurations load", async () => {
  await run(process.execPath, ["-e", 'import("pg")'], { cwd: folder });
});
