import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { origin } from "@/tests/support/http";
import { makeUser, type TestUser } from "@/tests/support/user";
import { newKey } from "./keys";
import { approve } from "./link";

/** A program that runs, and what it has printed. */
class Program {
  readonly child: ChildProcess;
  output = "";

  constructor(command: string, ...parameters: string[]) {
    this.child = spawn(command, parameters, { stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [this.child.stdout, this.child.stderr]) stream?.on("data", (chunk) => (this.output += chunk));
  }

  /** The six letters that it shows. */
  async code(): Promise<string> {
    await expect.poll(() => this.output, { timeout: 20_000 }).toMatch(/: [A-Z]{6}\n/);
    return /: ([A-Z]{6})\n/.exec(this.output)?.[1] ?? "";
  }

  async exit(): Promise<number> {
    const [code] = this.child.exitCode === null ? await once(this.child, "close") : [this.child.exitCode];
    return code;
  }
}

const LINKING: [string, (key: string) => Program][] = [
  ["link.sh", () => new Program("bash", "examples/link.sh", origin)],
  ["link-node.mjs", (key) => new Program("node", "examples/link-node.mjs", origin, key)],
  ["link.py", (key) => new Program("python3", "examples/link.py", origin, key)],
];

async function owner(): Promise<{ user: TestUser; key: string }> {
  const user = await makeUser();
  return { user, key: await newKey(user, { name: "Full version" }) };
}

describe("linking with", () => {
  test.each(LINKING)("%s", async (name, start) => {
    const { user, key } = await owner();
    const program = start(key);
    await approve(await program.code(), user);
    expect(await program.exit(), program.output).toBe(0);
    expect(program.output).toContain(`Linked to ${user.username}.`);
    expect(program.output).toContain(name === "link.sh" ? key : `${user.username} holds it.`);
    expect(program.output).not.toContain(user.token);
  });
});

const PROGRAMS = [
  ["bash", "examples/link.sh"],
  ["node", "examples/link-node.mjs"],
  ["python3", "examples/link.py"],
] as const;

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
      response.end('{"success":false,"error":"Too many codes are waiting.","message":"Too many codes are waiting.","code":"unavailable"}');
    });
    await once(refusing.listen(0, "127.0.0.1"), "listening");
    const program = new Program(command, file, `http://127.0.0.1:${(refusing.address() as AddressInfo).port}`);
    expect(await program.exit()).not.toBe(0);
    refusing.close();
    expect(program.output.trim().split("\n")).toHaveLength(1);
    expect(program.output).toMatch(/Too many codes are waiting\.|503/);
  });
});

test("checking a key with check-key.sh", async () => {
  const { user, key } = await owner();
  for (const [username, status, words] of [
    [user.username, 0, "holds it"],
    ["nobody-at-all", 1, "does not hold it"],
  ] as const) {
    const program = new Program("bash", "examples/check-key.sh", origin, username, key);
    expect([await program.exit(), program.output]).toEqual([status, expect.stringContaining(words)]);
  }
  expect(await new Program("bash", "examples/check-key.sh", "http://127.0.0.1:1", user.username, key).exit()).toBe(2);
});

test.each(readdirSync("examples"))("%s is under 60 lines", (file) => {
  expect(readFileSync(`examples/${file}`, "utf8").split("\n").length).toBeLessThanOrEqual(60);
});
