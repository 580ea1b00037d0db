import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { Service } from "@/tests/processes/npm-start";
import { sendTo } from "@/tests/support/request";
import { copySources, nodeVersion } from "./fresh-checkout";

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
const place = mkdtempSync(join(tmpdir(), "latchkey-versions-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

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
