import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createUser } from "@/lib/accounts/ways-in/create";
import { examine } from "@/lib/operator/doctor/examine";
import type { Finding } from "@/lib/operator/doctor/finding";
import { checkSecrets } from "@/lib/operator/secrets";
import { closeDatabase } from "@/lib/platform/db/client";
import { migrate } from "@/lib/platform/db/migrate";
import { env } from "@/lib/platform/env";
import { runAdmin } from "@/tests/support/admin";
import { newUsername } from "@/tests/support/user";

const { AUTH_SECRET, DATABASE_URL: _, DATA_DIR: __, ...nothing } = process.env;

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
const modesIn = (folder: string) => readdirSync(folder).map((name) => `${name} ${modeOf(join(folder, name))}`);
const isOpenToOthers = (line: string) => !line.endsWith("00");

const folder = mkdtempSync(join(env.DATA_DIR, "open-"));
chmodSync(folder, 0o755);
env.DATA_DIR = folder;
env.AUTH_SECRET = undefined;

async function written(): Promise<string[]> {
  process.umask(0o022);
  await migrate();
  await checkSecrets("command");
  await createUser({ username: newUsername() });
  const open = modesIn(folder);
  await closeDatabase();
  return [...open, ...modesIn(folder)];
}

test("in a folder that others may enter, every file is its owner's alone, while the database is open too", async () => {
  const lines = await written();
  expect(lines.map((line) => line.split(" ")[0])).toEqual(
    expect.arrayContaining(["latchkey.db", "latchkey.db-wal", "latchkey.db-shm", "secret"]),
  );
  expect(lines.filter(isOpenToOthers)).toEqual([]);
  chmodSync(join(folder, "latchkey.db"), 0o644);
  expect((await written()).filter(isOpenToOthers)).toEqual([]);
});

test("no second secret is created if the first is missing", async () => {
  rmSync(join(folder, "secret"));
  const admin = (...sent: string[]) => runAdmin(sent, { ...nothing, DATA_DIR: folder });
  expect((await admin("user:token", "alice")).stderr).toMatch(/^The secret [^\n]+secret is missing, [^\n]+\n$/);
  const { stdout } = await admin("secrets:rotate", "--lost");
  expect(JSON.parse(stdout)).toEqual({ users: 2, newTokens: 2, dataKeys: 0, signingKeys: 0 });
});

test("the doctor names an open folder, whoever keeps the secret, and a secret that others can read", async () => {
  const problems = async () => {
    const found: Finding[] = [];
    for await (const finding of examine()) found.push(finding);
    return found;
  };
  const open = { check: "permissions", problem: `${folder} is open to others (755).`, advice: `chmod 700 ${folder}` };
  env.AUTH_SECRET = AUTH_SECRET;
  expect(await problems()).toContainEqual(open);
  mkdirSync(join(folder, "unrelated"));
  writeFileSync(join(folder, "secret"), `${"a".repeat(40)}\n`);
  chmodSync(join(folder, "secret"), 0o644);
  env.AUTH_SECRET = undefined;
  expect(await problems()).toEqual(
    expect.arrayContaining([open, expect.objectContaining({ advice: `chmod 600 ${join(folder, "secret")}` })]),
  );
});
