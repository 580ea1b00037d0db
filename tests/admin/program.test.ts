import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { CommanderError } from "@commander-js/extra-typings";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { findCaller } from "@/lib/accounts/identity/token";
import { authenticate } from "@/lib/accounts/ways-in/sign-in";
import { hashToken } from "@/lib/platform/crypto/tokens";
import { db } from "@/lib/platform/db/client";
import manifest from "@/package.json";
import { promptPassword } from "@/scripts/admin/password";
import { adminProgram } from "@/scripts/admin/program";
import { agrees } from "@/scripts/admin/terminal";
import { smallDocument } from "@/tests/support/documents";
import { newNetwork } from "@/tests/support/request";
import { codeOf } from "@/tests/support/statements";
import { newUsername } from "@/tests/support/user";
import { atTerminal, makeOperatorsUser, run, scratch, shellCommand, start } from "./command";

describe("a mistake is explained with the correct usage", () => {
  test.each([
    [[], "error: missing command\nUsage: ./latchkey <command>\n"],
    [["nonsense"], "unknown command 'nonsense'"],
    [["strat"], "(Did you mean start?)"],
    [["start", "extra"], "Usage: ./latchkey start\n"],
    [["user:creat", "alice"], "(Did you mean user:create?)"],
    [["user:token", "alice", "--rotat"], "(Did you mean --rotate?)"],
    [["constructor", "alice"], "unknown command 'constructor'"],
    [["user:destroy-it-all", "alice"], "All commands: ./latchkey --help"],
    [["user:role", "alice", "root"], "Allowed choices are admin, user."],
    [["audit", "--format", "xml"], "Allowed choices are json, csv."],
    [["user:quota", "alice", "--keys", "-1"], "argument"],
    [["network:block", "203.0.113.7", "--for", "soon"], "argument"],
    [["audit", "--limit", "0"], "The limit must be a whole number from 1 to 10000."],
    [["user:token", "alice", "--limit", "5"], "Usage: ./latchkey user:token <name> [--rotate]"],
  ])("%j: %s", async (sent, sentence) => {
    const { said, thrown } = await run(...sent);
    expect(thrown).toBeInstanceOf(CommanderError);
    expect(said).toContain(sentence);
    expect(said).toMatch(/^error: (?:.+\n){2,3}$/);
  });

  test.each([["--help"], ["help"], ["user:create", "--help"], ["help", "user:create"]])(
    "%s %s tells on standard output how it is typed",
    async (...sent) => {
      const { printed, said, thrown } = await run(...sent);
      expect([said, thrown]).toEqual(["", expect.objectContaining({ exitCode: 0 })]);
      expect(printed).toContain("user:create <name...>");
    },
  );
});

test.each(["--version", "-V"])("%s prints the version alone", async (option) => {
  const { printed, said, thrown } = await run(option);
  expect([printed, said, thrown]).toEqual([`${manifest.version}\n`, "", expect.objectContaining({ exitCode: 0 })]);
});

describe("every form is understood", () => {
  const nobody = newUsername();
  test.each([
    [["user:token", "--rotate", nobody]],
    [["files:import", nobody, "a file", "--skip", "--yes"]],
    [["audit", "--user", nobody, "--limit", "5"]],
    [["user:show", nobody]],
    [["user:delete", nobody, "--yes"]],
    [["user:quota", nobody]],
    [["user:quota", nobody, "--keys", "5", "--entries", "default"]],
  ])("%j, of a user who is not there", async (sent) => {
    expect(await run(...sent)).toMatchObject({ said: "", thrown: { code: "user_not_found" } });
  });

  test.each([[["restore", "a file"]], [["restore", "a file", "--replace"]]])(
    "%j, of a file that is not there",
    async (sent) => {
      expect(await run(...sent)).toMatchObject({ said: "", thrown: { message: "There is no file a file." } });
    },
  );
});

test("every command that a document names is one", () => {
  const names = adminProgram().commands.map((command) => command.name());
  const documents = readdirSync("docs").flatMap((name) => (name.endsWith(".md") ? [`docs/${name}`] : []));
  const typed = ["README.md", ...documents, "compose.yaml", "Dockerfile", ".env.example"].flatMap((document) =>
    [...readFileSync(document, "utf8").matchAll(/\.\/latchkey ([a-z:]+)/g)].map(([, name = ""]) => ({
      document,
      name,
    })),
  );
  expect(typed.length).toBeGreaterThan(10);
  expect(typed.filter(({ name }) => !names.includes(name))).toEqual([]);
});

const CALL = "./latchkey";
/** Where a process is slow to read it, the command says that it waits for a password. */
const withoutHint = (stderr: string) => stderr.replace(/^Reading the password from standard input[^\n]*\n/, "");
const signIn = (username: string, password: string) => authenticate(username, password, { network: newNetwork() });

describe.concurrent("the admin command, as a process,", () => {
  test("creates a user without a password, whose token works immediately", async () => {
    const username = newUsername();
    const { status, stdout, stderr } = await start(["user:create", username]);
    expect([status, stderr]).toEqual([0, ""]);
    const created = JSON.parse(stdout);
    expect(created).toEqual({ username, token: expect.stringMatching(/^lk_/) });
    expect(await findCaller(hashToken(created.token))).toMatchObject({ username, role: "user" });
    expect(await codeOf(signIn(username, ""))).toBe("wrong_password");
  });

  test("says how a name is typed that begins with a hyphen", async () => {
    const username = `-${newUsername().slice(1)}`;
    const { status, stderr } = await start(["user:create", username]);
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(/\nIf it is a name that begins with a hyphen, put -- first\.\n$/),
    ]);
    expect(await start(["user:create", "--", username])).toMatchObject({ status: 0, stderr: "" });
  });

  test("creates several users in one run, and a name that is refused stops none of the others", async () => {
    const [first, second] = [newUsername(), newUsername()];
    const { status, stdout, stderr } = await start(["user:create", first, "a b", first, second]);
    const created = stdout.split("\n").slice(0, -1);
    expect(created.map((line) => JSON.parse(line).username)).toEqual([first, second]);
    expect(stderr.split("\n")).toEqual([
      expect.stringMatching(/^a b: /),
      `${first}: The username ${first} is taken. Choose another.`,
      "2 users were not created.",
      "",
    ]);
    expect(status).toBe(1);
    const others = ["user:create", newUsername(), newUsername()];
    const shared = await start(others, "a password for both");
    expect([shared.status, withoutHint(shared.stderr)]).toEqual([2, expect.stringMatching(/^A piped password is for/)]);
    expect(await start(others)).toMatchObject({ status: 0, stderr: "" });
  });

  test("takes the password from standard input, as it is but for the end of its line", async () => {
    const { username } = await makeOperatorsUser("another password");
    const { status, stdout, stderr } = await start(["user:password", username.toUpperCase()], " correct horse é\n");
    expect([status, stdout, withoutHint(stderr)]).toEqual([0, `{"username":"${username}"}\n`, ""]);
    expect(await signIn(username, " correct horse é")).toMatchObject({ username });
    expect(await codeOf(signIn(username, "another password"))).toBe("wrong_password");
  });

  test("refuses a password that is short, of several lines, or missing, and changes nothing", async () => {
    const { username } = await makeOperatorsUser("correct horse");
    for (const [input, sentence] of [
      ["first line\nsecond line\n", /^The password must be one line/],
      [Buffer.from("\ufeffcorrect battery\r\n", "utf16le"), /^The password in standard input is not plain UTF-8\./],
      [null, /^No password given/],
    ] as const) {
      const { status, stderr } = await start(["user:password", username], input);
      expect([status, withoutHint(stderr)]).toEqual([2, expect.stringMatching(sentence)]);
    }
    expect(await signIn(username, "correct horse")).toMatchObject({ username });
    const nobody = newUsername();
    const short = await start(["user:create", nobody], "short");
    expect([short.status, withoutHint(short.stderr)]).toEqual([2, expect.stringMatching(/^A password /)]);
    expect(await db.user.count({ where: { usernameKey: nobody } })).toBe(0);
  });

  test("twice at once makes the database where there is none yet", async () => {
    const DATA_DIR = join(scratch, "empty");
    const names = [newUsername(), newUsername()];
    const ended = await Promise.all(names.map((name) => start(["user:create", name], null, { DATA_DIR })));
    for (const one of ended) expect(one).toMatchObject({ status: 0, stderr: "" });
    expect(readdirSync(DATA_DIR)).toEqual(expect.arrayContaining(["latchkey.db", "secret"]));
    const made = new Database(join(DATA_DIR, "latchkey.db"), { readonly: true });
    expect(made.prepare(`SELECT "username" FROM "User"`).pluck().all().sort()).toEqual(names.sort());
    made.close();
  });

  test("takes a document from standard input, and says if its output was closed", async () => {
    const { username } = await makeOperatorsUser();
    const document = JSON.stringify(smallDocument(username));
    expect(await start(["files:import", username, "-"], document)).toMatchObject({ status: 0, stderr: "" });
    expect((await start(["files:export", username])).stdout).toBe(`${document}\n`);
    expect(await unread(`files:export ${username}`)).toBe(
      "The output was closed before the whole document was written.\n1\n",
    );
  });

  test("does not fail if nobody reads its help to the end", async () => {
    expect(await unread("--help")).toBe("0\n");
  });

  test.each([
    [[], 2, `error: missing command\nUsage: ${CALL} <command>\nAll commands: ${CALL} --help\n`],
    [["user:token", newUsername()], 1, "There is no user with this name.\n"],
  ] as [string[], number, string][])("%j ends with the right status and words", async (sent, status, words) => {
    const ended = await start(sent);
    expect(ended).toEqual({ status, stdout: "", stderr: words });
  });

  test("is stopped by a bad variable, with one sentence", async () => {
    const { status, stdout, stderr } = await start(["user:token", "alice"], null, { TRUSTED_PROXIES: "many" });
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^The environment variable TRUSTED_PROXIES is not valid: [^\n]+\.\n$/);
  });

  test("at a terminal, asks twice for a password, and never shows it, also where errors go to a file", async () => {
    const { username } = await makeOperatorsUser();
    const said = `New password for ${username}: \nRepeat it: \n{"username":"${username}"}\n`;
    const errors = join(scratch, "errors");
    for (const [password, more] of [
      ["correct horse 1", ""],
      ["correct horse 2", `2>${errors}`],
    ] as const) {
      const ended = await atTerminal(`user:password ${username} ${more}`, [password, password]);
      expect(ended).toEqual({ status: 0, screen: said });
      expect(await signIn(username, password)).toMatchObject({ username });
    }
    expect(readFileSync(errors, "utf8")).toBe("");
  });
});

test.each(["--help", "user:list", "audit --format csv", "backup -", "stats"])(
  "output that cannot be written is told without a stack: %s",
  async (command) => {
    const { stderr } = await promisify(execFile)("sh", [
      "-c",
      `${await shellCommand()} ${command} >/dev/full; echo $? >&2`,
    ]);
    expect(stderr).toContain("The output cannot be written: ENOSPC");
    expect(stderr).toMatch(/\n1\n$/);
    expect(stderr).not.toMatch(/^ +at /m);
    const quiet = await promisify(execFile)("sh", [
      "-c",
      `${await shellCommand()} ${command} 2>/dev/full >/dev/null; echo $?`,
    ]);
    expect(quiet.stdout).toBe("0\n");
  },
);

/** What a command says on standard error, and its status, when nobody reads its output. */
async function unread(command: string): Promise<string> {
  const script = `(${await shellCommand()} ${command}; echo $? >&2) | true`;
  return (await promisify(execFile)("sh", ["-c", script])).stderr;
}

/** Somebody at a terminal who types `lines`, each when the question before it has been asked. */
async function type(...lines: string[]): Promise<{ password: unknown; shown: string }> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let shown = "";
  output.on("data", (chunk) => {
    shown += chunk;
  });
  const asked = promptPassword(
    { question: "New password for alice", word: "password", isNew: true },
    input,
    output,
  ).catch((error: unknown) => error);
  for (const [index, line] of lines.entries()) {
    while (shown.split(": ").length < index + 2) await sleep(1);
    input.write(line);
  }
  return { password: await asked, shown };
}

test("a password is asked for twice, and nothing of it is shown", async () => {
  const { password, shown } = await type("correct horsx\x7fe\r", "correct horse\r");
  expect(password).toBe("correct horse");
  expect(shown).toBe("New password for alice: \nRepeat it: \n");
});

test("an empty one is none, and is not asked for again", async () => {
  expect(await type("\r")).toEqual({ password: null, shown: "New password for alice: \n" });
});

test("lines that come before they are asked for count", async () => {
  expect((await type("correct horse\rcorrect horse\r")).password).toBe("correct horse");
});

test.each(["correct\x03", "\x04"])("breaking off with %j changes nothing", async (typed) => {
  const { password, shown } = await type(typed);
  expect(String(password)).toBe("Error: Nothing was changed.");
  expect(shown).toBe("New password for alice: \n");
});

test.each([
  ["y\n", true],
  [" Yes \n", true],
  ["n\n", false],
  ["\n", false],
  ["yesterday\n", false],
  // Who ends the input.
  ["", false],
])("of what is typed at a question, %j agrees: %s", async (typed, expected) => {
  const input = new PassThrough();
  if (typed) input.write(typed);
  else input.end();
  expect(await agrees("Replace them all?", input, new PassThrough())).toBe(expected);
});
