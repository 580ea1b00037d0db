import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sendTo } from "@/tests/support/request";
import { signInByPassword } from "@/tests/support/sign-in";
import { Service } from "./checkout";

/** What the image is made of, run where no checkout is: whatever it loads and has not, fails here. */

const MB = 1_000_000;
const PASSWORD = "four words of a test";
const run = promisify(execFile);

const place = mkdtempSync(join(tmpdir(), "latchkey-runtime-"));
const folder = join(place, "runtime");
const make = () => run(process.execPath, ["scripts/runtime-folder.mjs", folder]);
beforeAll(make);
afterAll(() => rmSync(place, { recursive: true, force: true }));

const environment = { ...process.env, DATA_DIR: join(place, "data") };
function admin(...sent: string[]) {
  const command = run("npm", ["run", "--silent", "admin", "--", ...sent], { cwd: folder, env: environment });
  command.child.stdin?.end(`${PASSWORD}\n`);
  return command;
}

test("is smaller than 110 MB, and has no sources in it", () => {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const sizes = files.map(({ parentPath, name }) => statSync(join(parentPath, name)).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(110 * MB);
  expect(readdirSync(folder).sort()).toEqual([
    ".builds",
    "next.config.mjs",
    "node_modules",
    "package.json",
    "prisma",
    "scripts",
  ]);
  expect(readdirSync(join(folder, "scripts")).sort()).toEqual(["admin.mjs", "dotenv.mjs", "start.mjs"]);
  expect(files.filter(({ name }) => /\.(?:tsx?|map|nft\.json)$/.test(name))).toEqual([]);
});

test("runs every page, the API and the admin command", async () => {
  await using service = new Service(folder, { DATA_DIR: environment.DATA_DIR }, "npm");
  const origin = `http://127.0.0.1:${await service.port()}`;
  const { stdout } = await admin("user:create", "alice");
  const { token } = JSON.parse(stdout);
  expect((await sendTo(origin, "/me", { query: { auth: token } })).body).toMatchObject({ username: "alice" });
  expect((await sendTo(origin, "/link/code")).body).toEqual({ code: expect.stringMatching(/^[A-Z]{6}$/) });
  const Accept = "text/html";
  const headers = { Accept, Cookie: await signInByPassword(origin, "alice", PASSWORD) };
  for (const path of [
    "/signup",
    "/signin",
    "/docs",
    "/docs/guides/command-line",
    "/docs/guides/desktop",
    "/docs/guides/browser",
    "/docs/guides/keys",
    "/docs/guides/backup",
    "/docs/guides/production",
    "/docs/guides/existing-clients",
    "/docs/examples/desktop.mjs",
    "/client.mjs",
    "/client.d.mts",
    "/icon.svg",
    "/favicon.ico",
    "/openapi.json",
  ])
    expect([path, (await sendTo(origin, path, { headers: { Accept } })).status]).toEqual([path, 200]);
  expect((await sendTo(origin, "/docs/try", { headers: { Accept } })).status).toBe(308);
  for (const path of ["/", "/link", "/keys", "/files", "/account"])
    expect([path, (await sendTo(origin, path, { headers })).status]).toEqual([path, 200]);
  expect((await sendTo(origin, "/nothing", { headers })).status).toBe(404);
  expect(JSON.parse((await admin("doctor")).stdout)).toMatchObject({ ok: true });
  expect(service.output).not.toMatch(/"level":(?:40|50|60)/);
});

test("writes its log for people, too", async () => {
  await using service = new Service(folder, {
    DATA_DIR: environment.DATA_DIR,
    LOG_LEVEL: "info",
    LOG_FORMAT: "pretty",
  });
  await sendTo(`http://127.0.0.1:${await service.port()}`, "/health");
  await expect.poll(() => service.output).toMatch(/^\[[\d:.]+\] INFO: .*"route":"\/health"/m);
});

test("has the packages that only some configurations load", async () => {
  await run(process.execPath, ["-e", 'import("redis").then(() => import("pg"))'], { cwd: folder });
});

test("is made in a new folder only", async () => {
  await expect(make()).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining("does not exist yet") });
});
