import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test("the package has every type that a strict checker wants", async () => {
  const { stdout } = await promisify(execFile)(
    "mypy",
    ["--strict", "--no-incremental", "--python-version", "3.9", "src"],
    {
      cwd: "clients/python",
    },
  );
  expect(stdout).toMatch(/^Success: no issues found in \d+ source files\n$/);
});
