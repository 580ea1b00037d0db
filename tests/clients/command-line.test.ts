import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { importDocument } from "@/lib/files/import";
import { bundled } from "@/scripts/bundled.mjs";
import { approve, deny } from "@/tests/contract/link";
import { type Ended, runScript } from "@/tests/support/admin";
import { chunks, smallDocument } from "@/tests/support/documents";
import { origin } from "@/tests/support/http";
import { Program } from "@/tests/support/program";
import { makeUsers, type TestUser } from "@/tests/support/user";

const SCRIPT = "clients/cli/src/main.ts";
let home: string;
let alice: TestUser;
let bob: TestUser;

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "latchkey-home-"));
  [alice, bob] = (await makeUsers(2)) as [TestUser, TestUser];
});
afterEach(() => rmSync(home, { recursive: true }));

/** The environment of somebody without a keychain and without a browser. */
const environment = (more: Record<string, string> = {}): NodeJS.ProcessEnv => ({
  ...{ PATH: dirname(process.execPath), HOME: home, XDG_CONFIG_HOME: join(home, "config"), NODE_ENV: "production" },
  ...more,
});
const asAlice = () => ({ LATCHKEY_ADDRESS: origin, LATCHKEY_TOKEN: alice.token });
const run = (
  sent: string[],
  more: Record<string, string> = asAlice(),
  input: string | Buffer | null = null,
): Promise<Ended> => runScript(SCRIPT, sent, environment(more), input);

async function json(...sent: string[]): Promise<Record<string, unknown>> {
  const { status, stdout, stderr } = await run([...sent, "--json"]);
  expect([status, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}

const start = async (sent: string[], more: Record<string, string>) =>
  new Program([process.execPath, await bundled(SCRIPT), ...sent], { env: environment(more) });

/** Starts a sign-in, and waits for its letters. */
async function login(sent: string[], more: Record<string, string> = {}) {
  const program = await start(["login", origin, ...sent], more);
  return { code: await program.shown(/match: ([A-Z]{6})\n/), program };
}

describe("signing in", () => {
  const file = () => join(home, "config", "latchkey", "credentials.json");

  test("keeps the token where only its user can read it, and signing out forgets it", async () => {
    const { code, program } = await login(["--access", "read"]);
    await approve(code, alice);
    expect(await program.exit()).toBe(0);
    expect(program.output).toContain(`Signed in as ${alice.username}.`);
    expect([statSync(file()).mode & 0o777, statSync(dirname(file())).mode & 0o777]).toEqual([0o600, 0o700]);
    const who = await run(["whoami", "--json"], {});
    const { username } = alice;
    expect(JSON.parse(who.stdout)).toMatchObject({ username, token: { access: "read" }, address: origin });
    const words = `${username} at ${origin}, who holds 0 keys and 0 files and folders\n`;
    expect((await run(["whoami"], {})).stdout).toBe(words);
    expect((await run(["keys", "create", "x"], {})).status).toBe(4);
    // Another service does not get it.
    const elsewhere = await run(["whoami"], { LATCHKEY_ADDRESS: "http://127.0.0.1:1" });
    expect([elsewhere.status, elsewhere.stderr]).toEqual([3, expect.stringContaining("not signed in")]);
    chmodSync(file(), 0o644);
    expect(await run(["whoami"], {})).toMatchObject({ status: 1, stderr: expect.stringContaining("chmod 600") });
    chmodSync(file(), 0o600);
    expect((await run(["logout"], {})).status).toBe(0);
    expect(readFileSync(file(), "utf8")).not.toContain("lkt_");
    expect((await run(["whoami"], {})).status).toBe(3);
    expect((await run(["logout"], {})).status).toBe(3);
  });

  test("uses the system's keychain where there is one", async () => {
    // As secret-tool does: the last arguments say what, and the secret comes and goes through pipes.
    const bin = join(home, "bin");
    mkdirSync(bin);
    const vault = join(home, "vault");
    const script = `#!/bin/sh
case $1 in
  store) /bin/cat > ${vault} ;;
  lookup) /bin/cat ${vault} ;;
  clear) /bin/rm ${vault} ;;
esac
`;
    writeFileSync(join(bin, "secret-tool"), script, { mode: 0o755 });
    const more = { PATH: `${bin}:${dirname(process.execPath)}`, DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere" };
    const { code, program } = await login([], more);
    await approve(code, alice);
    await program.exit();
    expect(program.output).toContain("the system's keychain");
    expect(readFileSync(vault, "utf8")).toMatch(/^lkt_[\w-]{49}$/);
    expect(readFileSync(file(), "utf8")).not.toContain("lkt_");
    expect((await run(["whoami"], more)).stdout).toContain(alice.username);
    expect((await run(["logout"], more)).status).toBe(0);
    expect(existsSync(vault)).toBe(false);
  });

  test("ends with a denial, and with Ctrl-C", async () => {
    const [denied, stopped] = await Promise.all([login([]), login([])]);
    stopped.program.child.kill("SIGINT");
    await deny(denied.code, alice);
    expect([await denied.program.exit(), denied.program.output]).toEqual([4, expect.stringContaining("denied")]);
    expect(await stopped.program.exit()).toBe(130);
    expect(existsSync(file())).toBe(false);
  });
});

test("keys: every command, for people and as JSON", async () => {
  const { key } = await json(
    "keys",
    "create",
    "the secret",
    "--name",
    "Full \u001b[31mversion\u009b\u061c",
    "--price",
    "5",
  );
  const id = String(key);
  const [record, shown, list] = await Promise.all([
    json("keys", "get", id),
    run(["keys", "get", id]),
    run(["keys", "list"]),
  ]);
  expect(record).toMatchObject({ data: "the secret", price: 5 });
  expect(shown.stdout).toMatch(/Data +the secret\n/);
  // What somebody else wrote does nothing to the terminal.
  for (const { stdout } of [list, shown]) {
    expect(stdout).not.toMatch(/[\u001b\u0080-\u009f\u061c]/);
    expect(stdout).toContain("Full \\u001b[31mversion\\u009b\\u061c");
  }
  expect(record.name).toBe("Full \u001b[31mversion\u009b\u061c");
  expect(await json("keys", "give", id, bob.username)).toMatchObject({ added: true });
  expect(await json("keys", "set", id, "price", "-1")).toMatchObject({ price: -1 });
  const set = (input: string | Buffer) => run(["keys", "set", id, "data", "-"], asAlice(), input);
  const refused = await set(Buffer.from([0x63, 0xe9]));
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringMatching(/not UTF-8\. Save it again .* UTF-8\./)]);
  for (const bytes of [Buffer.from("\ufefffrom a pipe\r\n", "utf16le"), "\ufefffrom a pipe\n", "from a pipe\n"]) {
    expect((await set("else")).status).toBe(0);
    expect((await set(bytes)).status).toBe(0);
    expect(await json("keys", "get", id)).toMatchObject({ data: "from a pipe" });
  }
  expect(await json("keys", "list")).toMatchObject([{ key: id, data: "from a pipe" }]);
  const unasked = [
    ["revoke", id, bob.username],
    ["delete", id],
  ].map((sent) => run(["keys", ...sent], asAlice(), ""));
  for (const { status, stderr } of await Promise.all(unasked))
    expect([status, stderr]).toEqual([2, expect.stringContaining("--yes")]);
  expect(await json("keys", "revoke", id, bob.username, "--yes")).toMatchObject({ revoked: true });
  expect(await json("keys", "delete", id, "--yes")).toMatchObject({ key: id });
  expect(await json("keys", "list")).toEqual([]);
});

test("the exit status says what happened", async () => {
  const statuses = async (...commands: [string[], number][]) => {
    const ended = await Promise.all(commands.map(([sent]) => run(sent)));
    expect(ended.map(({ status }) => status)).toEqual(commands.map(([, status]) => status));
  };
  await statuses(
    [["keyz"], 2],
    [["keys", "create", "x", "--price", "1e5"], 2],
    [["keys", "get", "0".repeat(32)], 5],
    [["files", "ls"], 5],
    [["files", "cat", "docs"], 5],
    [["keys", "--help"], 0],
  );
  const wrong = await run(["whoami", "--json"], { ...asAlice(), LATCHKEY_TOKEN: `lk_${"x".repeat(43)}` });
  expect([wrong.status, JSON.parse(wrong.stderr)]).toEqual([3, expect.objectContaining({ code: "invalid_token" })]);
  const hurried = { NODE_OPTIONS: `--import=${resolve("tests/clients/hurried.mjs")}` };
  const away = await run(["whoami"], { ...asAlice(), ...hurried, LATCHKEY_ADDRESS: "http://127.0.0.1:2" });
  expect([away.status, away.stderr]).toEqual([6, "http://127.0.0.1:2 did not respond.\n"]);
});

test("what was mistyped does nothing to the terminal that shows it", async () => {
  for (const sent of [["key\u001b[1mz"], ["keys", "li\u009bst"], ["--\u001b[1m"], ["keys", "get", "x", "--\u061c"]]) {
    const { status, stderr } = await run(sent);
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^error: unknown .+\\u0[0-9a-f]{3}/)]);
    expect(stderr).not.toMatch(/[\u001b\u0080-\u009f\u061c]/);
  }
});

test("output that cannot be written is told in a sentence, and a reader that leaves is no failure", async () => {
  const program = await bundled(SCRIPT);
  const shell = (line: string) =>
    promisify(execFile)("/bin/bash", ["-c", `node() { ${process.execPath} ${program} "$@"; }; ${line}`], {
      env: environment(asAlice()),
    });
  for (const sent of ["whoami", "whoami --json", "keys list", "--help", "completion bash"]) {
    const full = await shell(`node ${sent} > /dev/full; echo $?`);
    expect([full.stdout, full.stderr], sent).toEqual(["1\n", expect.stringMatching(/cannot be written: ENOSPC.*\n$/)]);
    const { stdout, stderr } = await shell(`node ${sent} | true; echo "\${PIPESTATUS[0]}"; node ${sent} >&-; echo $?`);
    expect([stdout, stderr], sent).toEqual(["0\n0\n", ""]);
  }
  // The status counts, where not even the sentence can be written.
  expect((await shell("node keyz 2> /dev/full; echo $?")).stdout).toBe("2\n");
});

test("a file's content is written as it is, and what is none is told in a sentence", async () => {
  const bytes = randomBytes(7_000_000);
  const digits = `data:;base64,${bytes.toString("base64")}`;
  const program = await bundled(SCRIPT);
  const options = { env: environment(asAlice()), encoding: "buffer", maxBuffer: 20_000_000 } as const;
  for (const [stored, content] of [
    [digits, bytes],
    [`${digits}!`, Buffer.from(`${digits}!`)],
    ["x".repeat(9_000_000), Buffer.alloc(9_000_000, "x")],
  ] as const) {
    await importDocument(alice, chunks(JSON.stringify(smallDocument(alice.username, stored))));
    const cat = [program, "files", "cat", "docs/a / b.txt"];
    const { stdout } = await promisify(execFile)(process.execPath, cat, options);
    expect(stdout.equals(content), stored.slice(-1)).toBe(true);
  }
  for (const [path, status, code, sentence] of [
    ["none.txt", 5, "no_such_entry", "There is no file or folder with this path or id."],
    ["docs", 1, "is_folder", "docs is a folder. List what is in it: latchkey files ls"],
    ["/", 1, "is_folder", "/ is a folder. List what is in it: latchkey files ls"],
  ] as const) {
    expect(await run(["files", "cat", path])).toEqual({ status, stdout: "", stderr: `${sentence}\n` });
    const { stdout, stderr } = await run(["files", "cat", path, "--json"]);
    expect([stdout, JSON.parse(stderr)]).toEqual(["", { error: sentence, code }]);
  }
  const shell = `${process.execPath} ${program} files cat "docs/a / b.txt" | head -c 5; echo " \${PIPESTATUS[0]}"`;
  expect(
    await promisify(execFile)("/bin/bash", ["-c", shell], { env: { ...options.env, PATH: process.env.PATH } }),
  ).toEqual({ stdout: "xxxxx 0\n", stderr: "" });
});

test("files are listed and pulled, and changes come with --watch", async () => {
  await importDocument(alice, chunks(JSON.stringify(smallDocument(alice.username))));
  expect((await run(["files", "ls"])).stdout.split("\n")).toContain("       5 B  docs/a / b.txt");
  expect(await json("files", "ls", "docs")).toHaveLength(2);
  const folder = join(home, "pulled");
  const program = await start(["files", "pull", folder, "--watch", "--every", "1"], asAlice());
  const text = () => readFileSync(join(folder, "docs/a _ b.txt"), "utf8");
  // It says so once everything is stored, also what this version was.
  const saved = () => program.output.match(/^Saved/gm)?.length;
  await expect.poll(saved).toBe(1);
  expect(text()).toBe("hello");
  await importDocument(alice, chunks(JSON.stringify(smallDocument(alice.username, "changed"))));
  await expect.poll(saved).toBe(2);
  expect(text()).toBe("changed");
  program.child.kill("SIGTERM");
  expect(await program.exit()).toBe(130);
  expect(await json("files", "pull", folder)).toMatchObject({ isCurrent: true });
});
