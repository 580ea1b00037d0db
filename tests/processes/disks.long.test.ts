import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { get } from "@/tests/server/service";
import { runAdmin } from "@/tests/support/admin";
import { Service } from "./npm-start";

/** Disks that are not like others. Needs Linux, bindfs and root. */

const place = mkdtempSync(join(tmpdir(), "latchkey-disks-"));
const mounted: string[] = [];
afterEach(() => {
  for (const folder of mounted.splice(0)) execFileSync("umount", [folder]);
  rmSync(place, { recursive: true, force: true });
});

function folder(name: string): string {
  const path = join(place, name);
  mkdirSync(path, { recursive: true });
  chmodSync(place, 0o755);
  return path;
}

/** A folder on a file system of bindfs with these options. */
function bindfs(...options: string[]): string {
  const path = folder("mounted");
  execFileSync("bindfs", [...options, folder("behind"), path]);
  mounted.push(path);
  return path;
}

const env = { PATH: process.env.PATH, NODE_ENV: "production" as const };
const [NETWORK, MODELESS] = ["is on FUSE (sshfs, or another network share)", "its file system keeps no modes"];

test("a file system that keeps no modes: it starts, and starts again, warns once, and its commands work", async () => {
  // As Windows shows its folders to WSL and Docker.
  const DATA_DIR = bindfs("--perms=0777", "--chmod-ignore");
  for (const _ of ["first", "again"]) {
    await using service = new Service({ DATA_DIR });
    expect((await get(await service.port(), "/ready")).status).toBe(200);
    expect(service.output.split(MODELESS)).toHaveLength(2);
    expect(service.output).toMatch(/"level":40,.*can read the secret in .*set AUTH_SECRET instead\./);
    service.signal("SIGTERM");
    expect(await service.exit()).toBe(0);
  }
  const created = await runAdmin(["user:create", "alice"], { ...env, DATA_DIR });
  expect([created.status, created.stderr]).toEqual([0, ""]);
  const { stdout } = await runAdmin(["doctor"], { ...env, DATA_DIR });
  const { problems } = JSON.parse(stdout);
  const open = problems.filter(({ check }: { check: string }) => check === "permissions");
  expect(open.length).toBeGreaterThan(0);
  for (const { advice } of open) expect(advice).toContain(MODELESS);
});

test("a file system without shared memory: the start, a command and the doctor say what it is", async () => {
  const DATA_DIR = bindfs("-o", "direct_io");
  await using service = new Service({ DATA_DIR });
  expect(await service.exit()).toBe(1);
  expect(service.output).toMatch(/^The database cannot be used: DATA_DIR \(.*\) is on FUSE .* PostgreSQL server\.$/m);
  for (const command of [["doctor"], ["user:create", "alice"]])
    expect((await runAdmin(command, { ...env, DATA_DIR })).stderr).toContain(NETWORK);
});

test("a folder of root's: the sentence names both users, and what to run", () => {
  const DATA_DIR = folder("of-root");
  const run = () =>
    execFileSync(process.execPath, ["node_modules/tsx/dist/cli.mjs", "scripts/check-configuration.ts"], {
      env: { ...env, DATA_DIR },
      uid: 65_534,
      gid: 65_534,
      stdio: "pipe",
    });
  const sentence = `It belongs to the user 0, and this process runs as 65534: chown -R 65534 ${DATA_DIR} `;
  expect(run).toThrow(sentence);
  chownSync(DATA_DIR, 65_534, 65_534);
  run();
});

test("a secret that is mounted for everybody is accepted, with a warning; one that can be closed is not", async () => {
  const secrets = folder("secrets");
  const AUTH_SECRET_FILE = join(secrets, "auth_secret");
  writeFileSync(AUTH_SECRET_FILE, "a".repeat(40), { mode: 0o644 });
  chmodSync(AUTH_SECRET_FILE, 0o644);
  {
    await using service = new Service({ AUTH_SECRET_FILE });
    expect(await service.exit()).toBe(1);
    expect(service.output).toContain(`is open to others (mode 644): chmod 600 ${AUTH_SECRET_FILE}`);
  }
  const readOnly = folder("read-only");
  execFileSync("mount", ["--bind", secrets, readOnly]);
  mounted.push(readOnly);
  execFileSync("mount", ["-o", "remount,ro,bind", readOnly]);
  await using service = new Service({ AUTH_SECRET_FILE: join(readOnly, "auth_secret") });
  expect((await get(await service.port(), "/ready")).status).toBe(200);
  expect(service.output).toContain("Others who use this machine can read the secret in");
  service.signal("SIGTERM");
  expect(await service.exit()).toBe(0);
});
