import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { env } from "@/lib/env";
import { runAdmin } from "@/tests/support/admin";

const { AUTH_SECRET: _, DATABASE_URL: __, DATA_DIR: ___, ...nothing } = process.env;

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
const modesIn = (folder: string) => readdirSync(folder).map((name) => `${name} ${modeOf(join(folder, name))}`);
const isOpenToOthers = (line: string) => !line.endsWith("00");

/** What a process with the usual mask leaves, and which files it has while the database is open. */
const WRITE = `
  import { readdirSync, statSync, writeFileSync } from "node:fs";
  import { closeDatabase } from "@/lib/db/client";
  import { migrate } from "@/lib/db/migrate";
  import { createUser } from "@/lib/auth/users";
  await migrate();
  await createUser({ username: "somebody-" + process.pid, password: null });
  const folder = process.env.DATA_DIR;
  for (const name of readdirSync(folder)) console.log(name, (statSync(folder + "/" + name).mode & 0o777).toString(8));
  await closeDatabase();`;

function writeIn(folder: string): string[] {
  const command =
    `umask 022; exec "${process.execPath}" node_modules/tsx/dist/cli.mjs --input-type=module -e ` + `'${WRITE}'`;
  const { stdout, stderr } = spawnSync("sh", ["-c", command], {
    env: { ...nothing, DATA_DIR: folder },
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  return stdout.trim().split("\n");
}

function openFolder(): string {
  const folder = mkdtempSync(join(env.DATA_DIR, "open-"));
  chmodSync(folder, 0o755);
  return folder;
}

test(
  "in a folder that others may enter, every file that is made is its owner's alone, while the database " +
    "is open too",
  () => {
    const folder = openFolder();
    const open = writeIn(folder);
    expect(open.map((line) => line.split(" ")[0])).toEqual(
      expect.arrayContaining(["latchkey.db", "latchkey.db-wal", "latchkey.db-shm", "secret"]),
    );
    expect(open.filter(isOpenToOthers)).toEqual([]);
    expect(modesIn(folder).filter(isOpenToOthers)).toEqual([]);
  },
);

test("files that a former version left open to others are closed to them at the next start", () => {
  const folder = openFolder();
  writeIn(folder);
  chmodSync(join(folder, "latchkey.db"), 0o644);
  expect(writeIn(folder).filter(isOpenToOthers)).toEqual([]);
  expect(modesIn(folder).filter(isOpenToOthers)).toEqual([]);
});

test("a secret that others can read is refused with the command that mends it, and mending it is enough", async () => {
  const folder = openFolder();
  const secret = join(folder, "secret");
  writeFileSync(secret, `${"s".repeat(40)}\n`);
  for (const mode of [0o644, 0o640, 0o604, 0o660]) {
    chmodSync(secret, mode);
    const { status, stderr } = await runAdmin(["user:create", "alice"], { ...nothing, DATA_DIR: folder });
    expect([status, stderr]).toEqual([1, expect.stringContaining(`chmod 600 ${secret}`)]);
    expect(stderr).not.toContain("s".repeat(40));
  }
  chmodSync(secret, 0o600);
  expect((await runAdmin(["user:create", "alice"], { ...nothing, DATA_DIR: folder })).status).toBe(0);
});

test("the doctor names an open folder, whoever keeps the secret, and a secret that others can read", async () => {
  const folder = openFolder();
  const problems = async (environment: Record<string, string>) =>
    JSON.parse((await runAdmin(["doctor"], { ...nothing, DATA_DIR: folder, ...environment })).stdout).problems;
  const open = { check: "permissions", problem: `${folder} is open to others (755).`, advice: `chmod 700 ${folder}` };
  expect(await problems({ AUTH_SECRET: "a".repeat(40) })).toContainEqual(open);
  mkdirSync(join(folder, "unrelated"));
  writeFileSync(join(folder, "secret"), `${"a".repeat(40)}\n`, { mode: 0o644 });
  expect(await problems({})).toEqual(
    expect.arrayContaining([open, expect.objectContaining({ advice: `chmod 600 ${join(folder, "secret")}` })]),
  );
});
