import { randomBytes } from "node:crypto";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import Database from "better-sqlite3";
import { beforeAll, expect, test } from "vitest";
import { env } from "@/lib/env";
import { runAdmin, runScript } from "@/tests/support/admin";
import { emptyDatabase } from "@/tests/support/empty-database";

const folder = mkdtempSync(join(env.DATA_DIR, "portable-"));
const newFile = () => join(folder, randomBytes(6).toString("hex"));
const { AUTH_SECRET: _, DATABASE_URL: __, DATA_DIR: ___, ...nothing } = process.env;

/** A machine: its data folder, and its database and secret, if it has any. */
type Machine = Record<string, string> & { DATA_DIR: string };

const embedded = (): Machine => ({ DATA_DIR: mkdtempSync(join(folder, "machine-")) });
/** A machine with a database of the tested kind and a secret of its own. */
const withSecret = async (): Promise<Machine> => ({
  ...(await emptyDatabase()),
  AUTH_SECRET: randomBytes(32).toString("base64"),
});

const admin = (at: Machine, sent: string[], input: string | null = null) =>
  runAdmin(sent, { ...nothing, ...at }, input);

async function answer(at: Machine, sent: string[], input: string | null = null): Promise<Record<string, unknown>> {
  const { status, stdout, stderr } = await admin(at, sent, input);
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout);
}

async function refusal(at: Machine, sent: string[], input: string | null = null): Promise<string> {
  const { status, stdout, stderr } = await admin(at, sent, input);
  expect([status, stdout], stderr).not.toContain(0);
  expect(stderr.trim().split("\n")).toHaveLength(1);
  return stderr;
}

const onKeys = async (at: Machine, ...sent: string[]) => {
  const { status, stdout, stderr } = await runScript("tests/support/key-elsewhere.ts", sent, { ...nothing, ...at });
  expect([status, stderr]).toEqual([0, ""]);
  return stdout.trim();
};

const MARK = `marked ${randomBytes(9).toString("hex")}`;
const PASSPHRASE = "seven marbles under the stairs";
const root = '[".folder","alice","origin/(c) users",[],"",0,0,0,1,1,"",0,[],"ffffffffffffffffffffffffffffffff"';
const entry = `".txt","a","origin/(c) users/alice","${MARK}",null,0,0.5,"0",1,2,"",3,["alice"],"${"0".repeat(32)}"]`;
const document = `${root},\n${entry}`;

let source: Machine;
let token: unknown;
let key: string;

beforeAll(async () => {
  source = embedded();
  ({ token } = await answer(source, ["user:create", "alice"]));
  key = await onKeys(source, "create", "alice", MARK);
  const file = newFile();
  writeFileSync(file, document);
  await answer(source, ["files:import", "alice", file]);
});

/** Everything that alice stored is there, and opens. */
async function expectAll(at: Machine): Promise<void> {
  expect((await answer(at, ["user:token", "alice"])).token).toBe(token);
  expect(await onKeys(at, "read", "alice", key)).toBe(MARK);
  expect(JSON.parse((await admin(at, ["files:export", "alice"])).stdout)).toEqual(JSON.parse(document));
}

test("a backup needs the secret, which it does not hold, and says where that is", async () => {
  const file = newFile();
  const secret = readFileSync(join(source.DATA_DIR, "secret"), "utf8").trim();
  const { status, stdout, stderr } = await admin(source, ["backup", file]);
  expect([status, JSON.parse(stdout).opensWith]).toEqual([0, `the secret in ${source.DATA_DIR}/secret`]);
  expect(stderr).toContain(`only with the secret in ${source.DATA_DIR}/secret, which is not in it`);
  const text = gunzipSync(readFileSync(file)).toString();
  for (const hidden of [secret, MARK, Buffer.from(MARK).toString("base64").slice(0, -4)])
    expect(text.includes(hidden)).toBe(false);

  const target = embedded();
  expect(await refusal(target, ["restore", file])).toContain(`copy that to ${target.DATA_DIR}/secret`);
  expect(existsSync(join(target.DATA_DIR, "latchkey.db"))).toBe(false);
  copyFileSync(join(source.DATA_DIR, "secret"), join(target.DATA_DIR, "secret"));
  await answer(target, ["restore", file]);
  await expectAll(target);
  const { DATA_DIR, DATABASE_URL } = await emptyDatabase();
  const other = { DATA_DIR, ...(DATABASE_URL && { DATABASE_URL }), AUTH_SECRET: secret };
  await answer(other, ["restore", file]);
  await expectAll(other);
});

test("a passphrase opens a portable backup, whether the machine has no secret yet or one of its own", async () => {
  const file = newFile();
  const { opensWith } = await answer(source, ["backup", file, "--open"], `${PASSPHRASE}\n`);
  expect(opensWith).toBe("the passphrase");
  const [line = ""] = gunzipSync(readFileSync(file)).toString().split("\n", 1);
  const header = JSON.parse(line);
  expect(header).toMatchObject({ format: 3, portable: { kdf: "scrypt", N: 131_072, r: 8, p: 1 } });
  expect(line).not.toContain(readFileSync(join(source.DATA_DIR, "secret"), "utf8").trim());

  const empty = embedded();
  expect(await refusal(empty, ["restore", file])).toContain("There is no passphrase.");
  expect(await refusal(empty, ["restore", file], "seven marbles under the chairs\n")).toContain(
    "The passphrase does not open this backup. Nothing was restored.",
  );
  expect(existsSync(join(empty.DATA_DIR, "secret"))).toBe(false);
  await answer(empty, ["restore", file], PASSPHRASE);
  expect(readFileSync(join(empty.DATA_DIR, "secret"), "utf8")).toBe(
    readFileSync(join(source.DATA_DIR, "secret"), "utf8"),
  );
  await expectAll(empty);

  const passphraseFile = newFile();
  writeFileSync(passphraseFile, `${PASSPHRASE}\n`);
  const other = await withSecret();
  const { status, stderr } = await admin(other, ["restore", file, "--passphrase-file", passphraseFile]);
  expect([status, stderr]).toEqual([0, "Everything is now stored under the secret of this machine.\n"]);
  await expectAll(other);
  expect((await answer(other, ["doctor"])).problems).toEqual([]);

  // The way back to the first kind of database: with the secret that it is stored under now.
  const back = newFile();
  await answer(other, ["backup", back]);
  const home: Machine = { ...embedded(), AUTH_SECRET: String(other.AUTH_SECRET) };
  await answer(home, ["restore", back]);
  await expectAll(home);
  // The same machine needs no passphrase.
  await answer(source, ["restore", file, "--replace"]);
  await expectAll(source);
});

test("a token that was damaged already is replaced, so that the rest can be restored", async () => {
  const damaged = embedded();
  await answer(damaged, ["user:create", "alice"]);
  const id = await onKeys(damaged, "create", "alice", MARK);
  const { token: kept } = await answer(damaged, ["user:create", "bob"]);
  const database = new Database(join(damaged.DATA_DIR, "latchkey.db"));
  database.exec(`UPDATE "User" SET "tokenSealed" = 'AAAA' WHERE "usernameKey" = 'alice'`);
  database.close();
  const file = newFile();
  await answer(damaged, ["backup", file, "--open"], PASSPHRASE);

  const other = await withSecret();
  const { status, stdout, stderr } = await admin(other, ["restore", file], PASSPHRASE);
  expect([status, stderr]).toEqual([
    0,
    "Everything is now stored under the secret of this machine.\n" +
      "Tokens in the backup that were damaged and are replaced: 1. audit --action token.rotate names their users.\n",
  ]);
  expect(JSON.parse(stdout)).toMatchObject({ rows: expect.any(Number) });
  expect((await answer(other, ["user:token", "bob"])).token).toBe(kept);
  expect((await answer(other, ["user:token", "alice"])).token).toMatch(/^lk_/);
  expect(await onKeys(other, "read", "alice", id)).toBe(MARK);
  expect((await answer(other, ["doctor"])).problems).toEqual([]);
});

test("a weak passphrase, one in several lines, a missing file and a misplaced option are refused", async () => {
  const file = newFile();
  expect(await refusal(source, ["backup", file, "--open"])).toContain("There is no passphrase.");
  expect(await refusal(source, ["backup", file, "--open"], "too short\n")).toContain("at least 12 characters");
  expect(await refusal(source, ["backup", file, "--open"], "123456789123\n")).toContain("most common");
  expect(await refusal(source, ["backup", file, "--open"], "one line of it\nand another\n")).toContain("several");
  expect(await refusal(source, ["backup", file, "--open", "--passphrase-file", newFile()])).toContain("ENOENT");
  expect(await refusal(source, ["backup", file, "--passphrase-file", file])).toContain("belongs to --open");
  expect(existsSync(file)).toBe(false);
});
