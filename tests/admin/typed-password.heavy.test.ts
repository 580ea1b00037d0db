import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { authenticate } from "@/lib/auth/authenticate";
import { bundled } from "@/tests/support/bundle";
import { newNetwork } from "@/tests/support/network";
import { makeOperatorsUser, scratch } from "./command";

/** Runs a command behind a pseudo-terminal, where somebody types a line for each prompt. What the screen showed. */
async function atTerminal(command: string, lines: string[]): Promise<{ status: number | null; screen: string }> {
  const program = `${process.execPath} ${await bundled("scripts/admin.ts")}`;
  return new Promise((resolve) => {
    const child = spawn("script", ["-qec", `${program} ${command}`, "/dev/null"]);
    const waiting = [...lines];
    let screen = "";
    child.stdout.on("data", (chunk) => {
      screen += chunk;
      const asked = screen.split(": ").length - 1;
      while (lines.length - waiting.length < asked && waiting.length > 0) child.stdin.write(`${waiting.shift()}\r`);
    });
    child.on("close", (status) => resolve({ status, screen: screen.replaceAll("\r\n", "\n") }));
  });
}

test("at a terminal, a password is typed twice and never shown", async () => {
  const { username } = await makeOperatorsUser();
  const { status, screen } = await atTerminal(`user:password ${username}`, ["correct horse 1", "correct horse 1"]);
  const said = `New password for ${username}: \nRepeat it: \n{"username":"${username}"}\n`;
  expect({ status, screen }).toEqual({ status: 0, screen: said });
  expect(await authenticate(username, "correct horse 1", newNetwork())).toMatchObject({ username });
});

test("also where errors go to a file", async () => {
  const { username } = await makeOperatorsUser();
  const errors = join(scratch, "errors");
  const typed = ["correct horse 2", "correct horse 2"];
  const { status, screen } = await atTerminal(`user:password ${username} 2>${errors}`, typed);
  expect([status, screen]).toEqual([0, expect.stringMatching(/^New password for .+: \nRepeat it: \n\{/)]);
  expect(readFileSync(errors, "utf8")).toBe("");
  expect(await authenticate(username, "correct horse 2", newNetwork())).toMatchObject({ username });
});

test("two that differ change nothing", async () => {
  const { username } = await makeOperatorsUser("correct horse 3");
  const { status, screen } = await atTerminal(`user:password ${username}`, ["another horse", "another house"]);
  expect(status).toBe(1);
  expect(screen).toContain("The passwords do not match. Nothing was changed.");
  expect(screen).not.toMatch(/another/);
  expect(await authenticate(username, "correct horse 3", newNetwork())).toMatchObject({ username });
});
