import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { get } from "@/tests/server/service";
import { doctorOf, runAdmin } from "@/tests/support/admin";
import { Service } from "./npm-start";

/** Disks that are not like others. Needs Linux, bindfs, fusepy and root. */

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
  const open = await doctorOf("permissions", { DATA_DIR });
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

test("a file system that locks nothing: the start, a command and the doctor say what it is", async () => {
  const DATA_DIR = folder("mounted");
  const program = join(import.meta.dirname, "without_locks.py");
  const shown = spawn("/usr/bin/python3", [program, folder("behind"), DATA_DIR], { stdio: "ignore" });
  onTestFinished(() => void shown.kill());
  mounted.push(DATA_DIR);
  while (statSync(DATA_DIR).dev === statSync(place).dev) await sleep(20);
  await using service = new Service({ DATA_DIR });
  await expect.poll(() => service.output, { timeout: 20_000 }).toContain(NETWORK);
  service.signal("SIGTERM");
  await service.exit();
  for (const command of [["doctor"], ["user:create", "alice"]])
    expect((await runAdmin(command, { ...env, DATA_DIR })).stderr).toContain(NETWORK);
});

const NOBODY = { uid: 65_534, gid: 65_534 };

/** What a user without rights sees of this folder at the start. */
const checkAsNobody = (variables: Record<string, string>) => () =>
  execFileSync(process.execPath, ["node_modules/tsx/dist/cli.mjs", "scripts/check-configuration.ts"], {
    env: { ...env, ...variables },
    ...NOBODY,
    stdio: "pipe",
  });

/** A command that opens the database, by that user. */
function commandAsNobody(DATA_DIR: string) {
  const command = ["node_modules/tsx/dist/cli.mjs", "scripts/admin.ts", "stats"];
  return spawnSync(process.execPath, command, { env: { ...env, DATA_DIR }, ...NOBODY, encoding: "utf8" });
}

test("a folder of root's, or files in it: the sentence names both users, and what to run", async () => {
  const DATA_DIR = folder("of-root");
  const sentence = (path: string) =>
    `${path} belongs to the user 0, and this process runs as 65534: chown -R 65534 ${DATA_DIR} `;
  expect(checkAsNobody({ DATA_DIR })).toThrow(sentence(DATA_DIR));
  const missing = join(DATA_DIR, "missing");
  expect(checkAsNobody({ DATA_DIR: missing })).toThrow(`install -d -o 65534 -m 700 ${missing}.`);
  // A start with sudo leaves such.
  await runAdmin(["user:create", "alice"], { ...env, DATA_DIR });
  chownSync(DATA_DIR, 65_534, 65_534);
  const secret = join(DATA_DIR, "secret");
  expect(checkAsNobody({ DATA_DIR })).toThrow(`cannot be read: EACCES. ${sentence(join(DATA_DIR, "latchkey.db"))}`);
  chownSync(secret, 65_534, 65_534);
  const { stderr } = commandAsNobody(DATA_DIR);
  expect(stderr).toContain(`by this user. ${sentence(join(DATA_DIR, "latchkey.db"))}`);
  execFileSync("chown", ["-R", "65534", DATA_DIR]);
  checkAsNobody({ DATA_DIR })();
  expect(commandAsNobody(DATA_DIR).status).toBe(0);
});

test("a secret of its own that the volume opens to a group is closed again, as Kubernetes opens it (fsGroup)", () => {
  const DATA_DIR = folder("of-group");
  const secret = join(DATA_DIR, "secret");
  writeFileSync(secret, "a".repeat(40));
  for (const path of [DATA_DIR, secret]) chownSync(path, 65_534, 65_534);
  chmodSync(DATA_DIR, 0o2770);
  chmodSync(secret, 0o660);
  checkAsNobody({ DATA_DIR })();
  expect(statSync(secret).mode & 0o777).toBe(0o600);
  chmodSync(secret, 0o664);
  expect(checkAsNobody({ DATA_DIR })).toThrow(`is open to others (mode 664): chmod 600 ${secret}`);
});

test("a secret where chmod does nothing, in a folder where nothing can be created, is accepted", () => {
  const mount = bindfs("--chmod-ignore", "--perms=u=rwX,go=rX", "--force-user=nobody");
  const AUTH_SECRET_FILE = join(mount, "auth_secret");
  writeFileSync(join(place, "behind", "auth_secret"), "a".repeat(40));
  const DATA_DIR = folder("data");
  chownSync(DATA_DIR, 65_534, 65_534);
  checkAsNobody({ DATA_DIR, AUTH_SECRET_FILE })();
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
