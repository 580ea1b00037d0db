import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { Writable } from "node:stream";
import { expect, inject, vi } from "vitest";
import { createUser } from "@/lib/accounts/ways-in/create";
import { OPERATOR } from "@/lib/platform/audit";
import { migrate } from "@/lib/platform/db/migrate";
import { adminProgram } from "@/scripts/admin/program";
import { bundled } from "@/scripts/bundled.mjs";
import { runAdmin } from "@/tests/support/admin";
import { newUsername } from "@/tests/support/user";

export const scratch = mkdtempSync(join(inject("scratch"), "admin-"));
// The process of these files has the database open all the time, as the service would.
await migrate();

/** Starts the command as a process of its own. */
export const start = (sent: string[], input: string | Buffer | null = null, environment: Record<string, string> = {}) =>
  runAdmin(sent, { ...process.env, LOG_LEVEL: "info", ...environment }, input);

/** Runs a command in this process: what it prints, what it says on standard error, and the error that ends it. */
export async function run(...sent: string[]): Promise<{ printed: string; said: string; thrown: unknown }> {
  const ended = { printed: "", said: "" };
  const adding = (to: keyof typeof ended, end: string) => (text: string) => {
    ended[to] += text + end;
  };
  const output = new Writable({
    write(chunk, _, done) {
      ended.printed += chunk;
      done();
    },
  });
  const program = adminProgram();
  for (const command of [program, ...program.commands])
    command.configureOutput({ writeOut: adding("printed", ""), writeErr: adding("said", "") });
  const spies = [
    vi.spyOn(console, "log").mockImplementation(adding("printed", "\n")),
    vi.spyOn(console, "error").mockImplementation(adding("said", "\n")),
    // Not its `write` alone: what is piped into it would leave listeners there.
    vi.spyOn(process, "stdout", "get").mockReturnValue(output as typeof process.stdout),
  ];
  const thrown = await program
    .parseAsync(sent, { from: "user" })
    .then(() => undefined)
    .catch((error: unknown) => error);
  for (const spy of spies) spy.mockRestore();
  return { ...ended, thrown };
}

/** The JSON lines of a command that succeeds and says nothing else. */
export async function lines(...sent: string[]): Promise<Record<string, unknown>[]> {
  const { printed, said, thrown } = await run(...sent);
  expect([said, thrown], printed).toEqual(["", undefined]);
  expect(printed).toMatch(/^(?:\{.*\}\n)*$/);
  return printed
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

/** The only one of them. */
export async function answer(...sent: string[]): Promise<Record<string, unknown>> {
  const [only = {}, ...others] = await lines(...sent);
  expect(others).toEqual([]);
  return only;
}

/** What the error of a command says. */
export async function refusal(...sent: string[]): Promise<string> {
  const { printed, said, thrown } = await run(...sent);
  expect(printed).toBe("");
  return said + String((thrown as Error).message);
}

/** What `user:create` does, which reads a password from standard input. */
export const makeOperatorsUser = (password: string | null = null) =>
  createUser({ username: newUsername(), password, createdBy: OPERATOR });

/** The command, for a shell. */
export const shellCommand = async () => `${process.execPath} ${await bundled("scripts/admin.ts")}`;

/** Runs a command behind a pseudo-terminal, where somebody types a line for each prompt. What the screen showed. */
export async function atTerminal(command: string, lines: string[]): Promise<{ status: number | null; screen: string }> {
  const child = spawn("script", ["-qec", `${await shellCommand()} ${command}`, "/dev/null"]);
  const waiting = [...lines];
  let screen = "";
  child.stdout.on("data", (chunk) => {
    screen += chunk;
    const asked = screen.split(": ").length - 1;
    while (lines.length - waiting.length < asked && waiting.length > 0) child.stdin.write(`${waiting.shift()}\r`);
  });
  return new Promise((resolve) => {
    child.on("close", (status) => resolve({ status, screen: screen.replaceAll("\r\n", "\n") }));
  });
}
