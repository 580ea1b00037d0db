import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { Service } from "@/tests/processes/npm-start";
import { sendTo } from "@/tests/support/request";
import { copySources } from "./fresh-checkout";

/**
 * The README's first line and the main job, under each Node.js and npm that people have. Both come from the registry,
 * as packages.
 */

// Compiled against the headers of some later versions of 24, better-sqlite3 ends the process: a fault of theirs.
const VERSIONS = [
  ["20.19.0", "10"],
  ["22", "11"],
  ["24.5.0", "11"],
  ["26", "12"],
] as const;

const run = promisify(execFile);
const place = mkdtempSync(join(tmpdir(), "latchkey-versions-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** Installs both, and answers what makes a process use them. */
async function environmentOf(node: string, npm: string): Promise<NodeJS.ProcessEnv> {
  // No blank: compilers are told of this folder without quotes.
  const folder = join(place, `node-${node}-npm-${npm}`);
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  const nodePackage = `node-${process.platform}-${process.arch}`;
  const quietly = ["--ignore-scripts", "--no-audit", "--no-fund"];
  await run("npm", ["install", "--prefix", folder, ...quietly, `${nodePackage}@${node}`, `npm@${npm}`]);
  const installed = join(folder, "node_modules", nodePackage);
  symlinkSync(join(installed, "bin", "node"), join(bin, "node"));
  for (const name of ["npm", "npx"])
    symlinkSync(join(folder, "node_modules", "npm", "bin", `${name}-cli.js`), join(bin, name));
  // Packages are compiled, where they must be, against its headers.
  return { ...process.env, PATH: `${bin}:${process.env.PATH}`, npm_config_nodedir: installed };
}

test.each(VERSIONS)("Node.js %s with npm %s installs, starts and does the main job", async (node, npm) => {
  const env = await environmentOf(node, npm);
  const folder = join(place, `clone-${node}`);
  copySources(folder);
  const version = (await run("node", ["--version"], { env })).stdout;
  expect(version).toMatch(new RegExp(`^v${node.replaceAll(".", "\\.")}\\b`));
  await run("npm", ["ci"], { cwd: folder, env, maxBuffer: 100_000_000 });
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
