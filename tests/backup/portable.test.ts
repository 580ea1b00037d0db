import { randomBytes } from "node:crypto";
import { copyFileSync, cpSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import Database from "better-sqlite3";
import { beforeAll, expect, inject, test } from "vitest";
import { env } from "@/lib/platform/env";
import { adminProgram } from "@/scripts/admin/program";
import { runAdmin, runScript } from "@/tests/support/admin";
import { emptyDatabase } from "@/tests/support/databases";
import { smallDocument } from "@/tests/support/documents";

const folder = mkdtempSync(join(env.DATA_DIR, "portable-"));
const newFile = () => join(folder, randomBytes(6).toString("hex"));
const { AUTH_SECRET: _, DATABASE_URL: __, DATA_DIR: ___, ...nothing } = process.env;

type Machine = Record<string, string> & { DATA_DIR: string };

const embedded = (): Machine => ({ DATA_DIR: mkdtempSync(join(folder, "machine-")) });
const withSecret = async (): Promise<Machine> => ({
  ...(await emptyDatabase()),
  AUTH_SECRET: randomBytes(32).toString("base64"),
});

const admin = (at: Machine, sent: string[], input: string | null = null) =>
  runAdmin(sent, { ...nothing, ...at }, input);

async function refusal(at: Machine, sent: string[], input: string | null = null): Promise<string> {
  const { status, stdout, stderr } = await admin(at, sent, input);
  expect([status, stdout], stderr).not.toContain(0);
  expect(stderr.trim().split("\n")).toHaveLength(1);
  return stderr;
}

async function aliceAt(at: Machine, task: object = {}, input: string | null = null) {
  const sent = JSON.stringify({ username: "alice", ...task });
  const ended = await runScript(
    "tests/support/account-elsewhere.ts",
    [sent],
    { ...nothing, NEXTAUTH_URL: "http://localhost:3000", ...at },
    input,
  );
  expect(ended.status, ended.stderr).toBe(0);
  const printed = ended.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return { alice: printed.pop(), printed, told: ended.stderr };
}

const MARK = `marked ${randomBytes(9).toString("hex")}`;
const PASSPHRASE = "seven marbles under the stairs";
const document = JSON.stringify(smallDocument("alice", MARK));
const [plain, portable, passphraseFile] = [newFile(), newFile(), newFile()];
writeFileSync(passphraseFile, `${PASSPHRASE}\n`);
const secretOf = ({ DATA_DIR }: Machine) => readFileSync(join(DATA_DIR, "secret"), "utf8");
const headerOf = (file: string) => gunzipSync(readFileSync(file)).toString().split("\n", 1).join();

const source = embedded();
let stored: object;
let bob: { token: string };
let made: { opensWith: string }[];
let told: string;
beforeAll(async () => {
  const commands = [
    ["user:create", "bob"],
    ["backup", plain],
    ["backup", portable, "--open", "--passphrase-file", passphraseFile],
  ];
  const task = { make: { data: MARK, document }, commands };
  const { alice, printed, ...others } = await aliceAt(source, task);
  told = others.told;
  [bob, ...made] = printed;
  // What was signed before verifies after: the keys are the same.
  expect(alice.signing).toEqual([expect.objectContaining({ kid: expect.any(String), x: expect.any(String) })]);
  stored = { ...alice, problems: [] };
});

const expectAll = async (at: Machine, task: object = {}, input: string | null = null) =>
  expect(await aliceAt(at, task, input)).toMatchObject({ alice: stored, told: "" });

test("a passphrase opens a portable backup, whether the machine has no secret yet or one of its own", async () => {
  expect(made[1]?.opensWith).toBe("the passphrase");
  expect(JSON.parse(headerOf(portable))).toMatchObject({
    format: 3,
    portable: { kdf: "scrypt", N: 131_072, r: 8, p: 1 },
  });
  expect(headerOf(portable)).not.toContain(secretOf(source).trim());

  const empty = embedded();
  expect(await refusal(empty, ["restore", portable], "seven marbles under the chairs\n")).toContain(
    "The passphrase does not open this backup. Nothing was restored.",
  );
  expect(existsSync(join(empty.DATA_DIR, "secret"))).toBe(false);
  await expectAll(empty, { commands: [["restore", portable]] }, PASSPHRASE);
  expect(secretOf(empty)).toBe(secretOf(source));

  const other = await withSecret();
  const back = newFile();
  const moving = { commands: [["restore", portable, "--passphrase-file", passphraseFile]], backup: back };
  const moved = "Everything is now stored under the secret of this machine.\n";
  expect(await aliceAt(other, moving)).toMatchObject({ alice: stored, told: moved });

  // The way back to the first kind of database: with the secret that it is stored under now.
  const home: Machine = { ...embedded(), AUTH_SECRET: String(other.AUTH_SECRET) };
  await expectAll(home, { commands: [["restore", back]] });
});

// What no database decides.
if (inject("database").kind === "sqlite") {
  test("a backup needs the secret, which it does not hold, and says where that is", async () => {
    expect(made[0]?.opensWith).toBe(`the secret in ${source.DATA_DIR}/secret`);
    expect(told).toContain(`only with the secret in ${source.DATA_DIR}/secret, which is not in it`);
    const text = gunzipSync(readFileSync(plain)).toString();
    for (const hidden of [secretOf(source).trim(), MARK, Buffer.from(MARK).toString("base64").slice(0, -4)])
      expect(text.includes(hidden)).toBe(false);

    const target = embedded();
    expect(await refusal(target, ["restore", plain])).toContain(`copy that to ${target.DATA_DIR}/secret`);
    expect(existsSync(join(target.DATA_DIR, "latchkey.db"))).toBe(false);
    copyFileSync(join(source.DATA_DIR, "secret"), join(target.DATA_DIR, "secret"));
    // With the same secret, the portable one needs no passphrase.
    await expectAll(target, {
      commands: [
        ["restore", portable],
        ["restore", plain, "--replace"],
      ],
    });
  });

  test("a token that was damaged already is replaced, so that the rest can be restored", async () => {
    const damaged = embedded();
    cpSync(source.DATA_DIR, damaged.DATA_DIR, { recursive: true });
    const database = new Database(join(damaged.DATA_DIR, "latchkey.db"));
    database.exec(`UPDATE "User" SET "tokenSealed" = 'AAAA' WHERE "usernameKey" = 'alice'`);
    database.close();
    const file = newFile();
    expect(await admin(damaged, ["backup", file, "--open"], PASSPHRASE)).toMatchObject({ status: 0 });

    const other = await withSecret();
    const commands = [
      ["restore", file],
      ["user:token", "bob"],
    ];
    const { alice, printed, told } = await aliceAt(other, { commands }, PASSPHRASE);
    expect(told).toBe(
      "Everything is now stored under the secret of this machine.\n" +
        "Damaged tokens in the backup that were replaced: 1. audit --action token.rotate names their users.\n",
    );
    expect(printed).toEqual([expect.objectContaining({ rows: expect.any(Number) }), bob]);
    expect(alice).toEqual({ ...stored, token: expect.stringMatching(/^lk_/) });
    expect(alice).not.toEqual(stored);
  });

  test("a weak passphrase, one in several lines, a missing file and a misplaced option are refused", async () => {
    const [file, passphrase] = [newFile(), newFile()];
    // In this process: it refuses before it looks at what is stored.
    const run = (...sent: string[]) => adminProgram().parseAsync(sent, { from: "user" });
    const backup = (...options: string[]) => run("backup", file, ...options);
    for (const [typed, sentence] of [
      ["too short\n", "at least 12 characters"],
      ["123456789123\n", "most common"],
      ["one line of it\nand another\n", "several"],
      ["          \n", "must not consist only of spaces."],
      ["", "There is no passphrase."],
      ["\ufeffa good long passphrase\n", "Save it again with the encoding UTF-8, without a byte order mark."],
    ] as const) {
      writeFileSync(passphrase, typed);
      await expect(backup("--open", "--passphrase-file", passphrase)).rejects.toThrow(sentence);
    }
    await expect(backup("--open", "--passphrase-file", newFile())).rejects.toThrow("ENOENT");
    await expect(backup("--passphrase-file", passphrase)).rejects.toThrow("needs --open");
    expect(existsSync(file)).toBe(false);
    writeFileSync(passphrase, "");
    const restored = run("restore", portable, "--passphrase-file", passphrase);
    await expect(restored).rejects.toThrow("There is no passphrase.");
  });
}
