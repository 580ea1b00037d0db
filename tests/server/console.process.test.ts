import { expect, test } from "vitest";
import { runScript } from "@/tests/support/admin";

const print = (LOG_FORMAT: string) =>
  runScript("tests/support/print-through-console.ts", [], { PATH: process.env.PATH, NODE_ENV: "test", LOG_FORMAT });

test("what Next and packages print through the console is a line of the log like any other", async () => {
  const { stdout, stderr } = await print("json");
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(stderr).toBe("");
  expect(lines.map(({ level, printed }) => [level, printed])).toEqual([
    [30, "✓ Running next.config.mjs took 65ms"],
    [40, "two\nlines"],
    [50, expect.stringContaining("Error: a fault")],
  ]);
});

test("for people it stays as it is", async () => {
  expect((await print("pretty")).stdout).toContain("Running next.config.mjs took 65ms");
});
