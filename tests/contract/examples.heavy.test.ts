import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { rotateToken } from "@/lib/auth/rotate-token";
import { parseEnvironment } from "@/lib/env";
import { importDocument } from "@/lib/files/import";
import { chunks, smallDocument } from "@/tests/support/documents";
import { ask, origin } from "@/tests/support/http";
import { makeUser, type TestUser } from "@/tests/support/user";
import { newKey } from "./keys";
import { approve, deny } from "./link";

/** Variables of the programs' environment. */
const variables: Record<string, string> = {};

/** As a reader has them: beside the client that the service serves. */
const folderOfExamples = mkdtempSync(join(tmpdir(), "latchkey-readers-"));
beforeAll(async () => {
  cpSync("examples", folderOfExamples, { recursive: true });
  writeFileSync(join(folderOfExamples, "client.mjs"), (await ask("/client.mjs")).text);
});
afterAll(() => rmSync(folderOfExamples, { recursive: true }));
const saved = (file: string) => file.replace(/^examples/, folderOfExamples);

/** A program that runs, and what it has printed. */
class Program {
  readonly child: ChildProcess;
  /** With all of its output. */
  private readonly closed: Promise<unknown[]>;
  output = "";

  constructor(command: string, ...parameters: string[]) {
    const env = { ...process.env, ...variables };
    this.child = spawn(command, parameters.map(saved), { env, stdio: ["ignore", "pipe", "pipe"] });
    this.closed = once(this.child, "close");
    for (const stream of [this.child.stdout, this.child.stderr]) stream?.on("data", (chunk) => (this.output += chunk));
  }

  /** The six letters that it shows. */
  async code(): Promise<string> {
    await expect.poll(() => this.output).toMatch(/: [A-Z]{6}\n/);
    return /: ([A-Z]{6})\n/.exec(this.output)?.[1] ?? "";
  }

  async exit(): Promise<number> {
    const [code] = await this.closed;
    return Number(code);
  }
}

const PROGRAMS = [
  ["bash", "examples/link.sh"],
  ["node", "examples/link-node.mjs"],
  ["python3", "examples/link.py"],
] as const;

async function owner(): Promise<{ user: TestUser; key: string }> {
  const user = await makeUser();
  return { user, key: await newKey(user, { name: "Full version" }) };
}

describe("linking with", () => {
  test.each(PROGRAMS)("%s %s", async (command, file) => {
    const { user, key } = await owner();
    const program = new Program(command, file, origin);
    await approve(await program.code(), user);
    expect(await program.exit(), program.output).toBe(0);
    expect(program.output).toContain(`Linked to ${user.username}.`);
    expect(program.output).toContain(key);
    expect(program.output).not.toContain(user.token);
  });
});

describe("a denial stops at once", () => {
  test.each(PROGRAMS)("%s %s", async (command, file) => {
    const program = new Program(command, file, origin);
    await deny(await program.code(), await makeUser());
    expect(await program.exit(), program.output).toBe(1);
    expect(program.output).toMatch(/\nThe code was denied, or has expired\.\n$/);
  });
});

describe("a sentence, and no stack trace, from", () => {
  test.each(PROGRAMS)("%s %s where nobody answers", async (command, file) => {
    const program = new Program(command, file, "http://127.0.0.1:1");
    expect(await program.exit()).not.toBe(0);
    expect(program.output.trim().split("\n")).toHaveLength(1);
    expect(program.output).toContain("127.0.0.1");
  });

  test.each(PROGRAMS)("%s %s where it is refused a code", async (command, file) => {
    const refusing = createServer((_, response) => {
      response.writeHead(503, { "Content-Type": "application/json", "Retry-After": "1" });
      response.end(
        '{"success":false,"error":"Too many codes are waiting.","message":"Too many codes are ' +
          'waiting.","code":"unavailable"}',
      );
    });
    await once(refusing.listen(0, "127.0.0.1"), "listening");
    const program = new Program(command, file, `http://127.0.0.1:${(refusing.address() as AddressInfo).port}`);
    expect(await program.exit()).not.toBe(0);
    refusing.close();
    expect(program.output.trim().split("\n")).toHaveLength(1);
    expect(program.output).toMatch(/Too many codes are waiting\.|503/);
  });
});

test.each([
  ["bash", "examples/check-key.sh"],
  ["node", "examples/check-key.mjs"],
  ["python3", "examples/check-key.py"],
])("checking a key with %s %s", async (command, file) => {
  const { user, key } = await owner();
  for (const [username, status, words] of [
    [user.username, 0, "holds the key"],
    ["nobody-at-all", 1, "does not hold the key"],
  ] as const) {
    const program = new Program(command, file, origin, username, key);
    expect([await program.exit(), program.output]).toEqual([status, expect.stringContaining(words)]);
  }
  expect(await new Program(command, file, "http://127.0.0.1:1", user.username, key).exit()).toBe(2);
  // Not 1, which would mean that the user does not hold the key.
  expect(await new Program(command, file).exit()).toBe(2);
});

test("list-files.py, with the Python client, lists what is stored, and no character that moves a cursor", async () => {
  const user = await makeUser();
  const list = async (token: string, at = origin) => {
    Object.assign(variables, { TOKEN: token, PYTHONPATH: "clients/python/src", PYTHONDONTWRITEBYTECODE: "1" });
    const program = new Program("python3", "examples/list-files.py", at);
    const status = await program.exit();
    for (const name of Object.keys(variables)) delete variables[name];
    return [status, program.output];
  };
  expect(await list("")).toEqual([1, "Set the variable TOKEN to the user's token.\n"]);
  expect(await list(user.token)).toEqual([0, "Nothing is stored yet.\n"]);
  expect(await list("lk_none")).toEqual([1, expect.stringMatching(/^Invalid token.*\n$/)]);
  const document = smallDocument(user.username).with(2 * 14 + 1, "a\u001b[2J");
  await importDocument(user, chunks(JSON.stringify(document)));
  const home = `origin/(c) users/${user.username}`;
  const sizes = [`5  ${home}/docs/a?[2J.txt`, `12  ${home}/file 4.txt`, "17  bytes in 2 files"];
  const [status, output] = await list(user.token);
  expect([status, String(output).trim().split(/\n\s*/)]).toEqual([0, sizes]);
});

describe("with a folder of its own", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "latchkey-examples-"));
    return () => {
      for (const name of Object.keys(variables)) delete variables[name];
      rmSync(folder, { recursive: true });
    };
  });

  test.each([
    ["bash", "examples/backup.sh"],
    ["node", "examples/backup.mjs"],
    ["python3", "examples/backup.py"],
  ])("%s %s saves what is stored, and only what has changed", async (command, file) => {
    const user = await makeUser();
    const untold = new Program(command, file, origin, join(folder, "files.json"));
    expect(await untold.exit()).toBe(1);
    expect(untold.output).toMatch(/^.*TOKEN.*\n$/);
    variables.TOKEN = user.token;
    const copy = join(folder, "files.json");
    const back = async (at = origin) => {
      const program = new Program(command, file, at, copy);
      return [await program.exit(), program.output.trim()];
    };
    expect(await back()).toEqual([0, "Nothing is stored yet."]);
    for (const text of ["first", "second"]) {
      const document = smallDocument(user.username, text);
      await importDocument(user, chunks(JSON.stringify(document)));
      const [done, saved] = await back();
      expect([done, saved]).toEqual([0, `Saved ${statSync(copy).size} bytes.`]);
      expect(JSON.parse(readFileSync(copy, "utf8"))).toEqual(document);
      expect(await back()).toEqual([0, "Nothing has changed."]);
    }
    const [status, words] = await back("http://127.0.0.1:1");
    expect([status, words]).toEqual([1, expect.stringContaining("The old copy is unchanged.")]);
    variables.TOKEN = "lk_none";
    expect(await back()).toEqual([1, expect.stringContaining("Invalid token.")]);
    expect(JSON.parse(readFileSync(copy, "utf8"))).toEqual(smallDocument(user.username, "second"));
    expect(readdirSync(folder).toSorted()).toEqual(["files.json", "files.json.etag"]);
  });

  test("desktop.mjs stays signed in, and links again after the token was replaced", async () => {
    const user = await makeUser();
    variables.XDG_CONFIG_HOME = folder;
    // Nothing may open a browser here.
    variables.PATH = dirname(process.execPath);
    const token = join(folder, "latchkey-example", "token");
    for (const round of ["first", "after the token was replaced"]) {
      const program = new Program(process.execPath, "examples/desktop.mjs", origin);
      await approve(await program.code(), user);
      expect([await program.exit(), program.output], round).toEqual([
        0,
        expect.stringContaining(`Signed in as ${user.username}.`),
      ]);
      expect(statSync(token).mode & 0o777).toBe(0o600);
      const again = new Program(process.execPath, "examples/desktop.mjs", origin);
      expect([await again.exit(), again.output]).toEqual([0, `Signed in as ${user.username}.\n`]);
      await rotateToken(user.id);
    }
  });
});

test("production.env is a configuration that the service takes", () => {
  const lines = readFileSync("examples/production.env", "utf8").split("\n");
  const set = lines.flatMap((line) => (/^[A-Z]/.test(line) ? [line.split("=") as [string, string]] : []));
  expect(parseEnvironment(Object.fromEntries(set))).toMatchObject({ NEXTAUTH_URL: "https://keys.example.org" });
});

test("the documentation offers every example to download, for this service", async () => {
  for (const name of readdirSync("examples")) {
    const { status, headers, text } = await ask(`/docs/examples/${name}`);
    expect([status, headers["content-disposition"]], name).toEqual([200, `attachment; filename=${name}`]);
    expect(text).toBe(
      readFileSync(`examples/${name}`, "utf8").replaceAll("http://localhost:3000", origin).replaceAll("examples/", ""),
    );
  }
  for (const name of ["nothing.sh", "..%2Fpackage.json", "toString"])
    expect((await ask(`/docs/examples/${name}`)).status, name).toBe(404);
});

test.each(readdirSync("examples"))("%s is under 60 lines", (file) => {
  expect(readFileSync(`examples/${file}`, "utf8").split("\n").length).toBeLessThanOrEqual(60);
});
