import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { bundled } from "@/tests/support/bundle";
import { newUsername } from "@/tests/support/user";
import { admin, makeOperatorsUser, scratch } from "./command";

const run = promisify(execFile);

describe.concurrent("the admin command", () => {
  test("says how it is typed, with status 2", async () => {
    const { status, stdout, stderr } = await admin(["user:create", "alice", "bob"]);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^error: too many arguments[^\n]+\nUsage: npm run --silent admin -- user:create <name>\n$/);
    expect((await admin(["user:create", "bad name"])).status).toBe(2);
  });

  test("refuses a password of several lines or of blanks, because nobody means one", async () => {
    const { username } = await makeOperatorsUser();
    for (const [input, sentence] of [
      ["first line\nsecond line\n", "The password must be one line"],
      ["correct horse\n\n", "The password must be one line"],
      ["          \n", "The password must not consist only of spaces"],
    ] as const) {
      const { status, stderr } = await admin(["user:password", username], input);
      expect([status, stderr]).toEqual([2, expect.stringMatching(new RegExp(`^${sentence}`))]);
    }
  });

  test.each([["--help"], ["help"], ["user:create", "--help"], ["help", "user:create"]])(
    "%s %s tells on standard output how it is typed",
    async (...sent) => {
      const { status, stdout, stderr } = await admin(sent);
      expect([status, stderr, stdout.includes("user:create <name>")]).toEqual([0, "", true]);
    },
  );

  test("help that nobody reads to its end is no failure", async () => {
    const program = `${process.execPath} ${await bundled("scripts/admin.ts")}`;
    const { stderr } = await run("sh", ["-c", `(${program} --help; echo $? >&2) | true`]);
    expect(stderr).toBe("0\n");
  });

  test("without a command, what is missing and how it is typed is said on standard error, with status 2", async () => {
    const { status, stdout, stderr } = await admin([]);
    const call = "npm run --silent admin --";
    const said = `error: missing command\nUsage: ${call} <command>\nAll commands: ${call} --help\n`;
    expect([status, stdout, stderr]).toEqual([2, "", said]);
  });

  test("an unknown user is one sentence and status 1", async () => {
    const { status, stdout, stderr } = await admin(["user:token", newUsername()]);
    expect([status, stdout, stderr]).toEqual([1, "", "There is no user with this name.\n"]);
  });

  test("a name that is taken, and a file that is not there, are one sentence and status 1", async () => {
    const { username } = await makeOperatorsUser();
    for (const sent of [
      ["user:create", username.toUpperCase()],
      ["files:import", username, join(scratch, "missing.json")],
    ])
      expect(await admin(sent)).toEqual({ status: 1, stdout: "", stderr: expect.stringMatching(/^[^\n]+\n$/) });
  });

  test("a bad variable stops it with one sentence", async () => {
    const { status, stdout, stderr } = await admin(["user:create", newUsername()], null, { TRUSTED_PROXIES: "many" });
    expect([status, stdout, stderr]).toEqual([
      1,
      "",
      expect.stringMatching(/^The environment variable TRUSTED_PROXIES is not valid: [^\n]+\.\n$/),
    ]);
  });
});
