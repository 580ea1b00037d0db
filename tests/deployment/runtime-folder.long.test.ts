import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PAGES } from "@/lib/platform/http/pages";
import { Service } from "@/tests/processes/npm-start";
import { sendTo } from "@/tests/support/request";
import { signInByPassword } from "@/tests/support/user";

/** What the image is made of, run where no checkout is: whatever it loads and has not, fails here. */

const MB = 1_000_000;
const PASSWORD = "four words of a test";
const run = promisify(execFile);

const place = mkdtempSync(join(tmpdir(), "latchkey-runtime-"));
const folder = join(place, "runtime");
const DATA_DIR = join(place, "data");
beforeAll(() => run(process.execPath, ["scripts/runtime-folder.mjs", folder]));
afterAll(() => rmSync(place, { recursive: true, force: true }));

async function admin(...sent: string[]) {
  const parameters = ["run", "--silent", "admin", "--", ...sent];
  const command = run("npm", parameters, { cwd: folder, env: { ...process.env, DATA_DIR } });
  command.child.stdin?.end(`${PASSWORD}\n`);
  return JSON.parse((await command).stdout);
}

test("is smaller than 110 MB, and has no sources in it", () => {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const sizes = files.map(({ parentPath, name }) => statSync(join(parentPath, name)).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(110 * MB);
  const names = [".builds", "next.config.mjs", "node_modules", "package.json", "prisma", "scripts"];
  expect(readdirSync(folder).sort()).toEqual(names);
  expect(readdirSync(join(folder, "scripts")).sort()).toEqual(["admin.mjs", "dotenv.mjs", "start.mjs"]);
  expect(files.filter(({ name }) => /\.(?:tsx?|map|nft\.json)$/.test(name))).toEqual([]);
});

test("runs every page, the API and the admin command, and writes its log for people, too", async () => {
  const settings = { DATA_DIR, LOG_LEVEL: "info", LOG_FORMAT: "pretty" };
  await using service = new Service(settings, { folder, startedBy: "npm" });
  const origin = `http://127.0.0.1:${await service.port()}`;
  const { token } = await admin("user:create", "alice");
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
  await sendTo(origin, "/health");
  await expect.poll(() => service.output).toMatch(/^\[[\d:.]+\] INFO: .*"route":"\/health"/m);
  expect(service.output).not.toMatch(/\] (?:WARN|ERROR|FATAL):/);
});

test("has the packages that only some configurations load", async () => {
  await run(process.execPath, ["-e", 'import("@redis/client").then(() => import("pg"))'], { cwd: folder });
});
