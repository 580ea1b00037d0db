import { execFile, execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { copyInstalledSources } from "./fresh-checkout";

const run = promisify(execFile);

/** The blocks of CONTRIBUTING.md with a file's name, and its lines for a shell, in their order. */
const BLOCKS = [...readFileSync("CONTRIBUTING.md", "utf8").matchAll(/^```(\w+)(?: ([^\n]+))?\n(.*?)^```$/gms)].map(
  ([, kind = "", file = "", text = ""]) => ({ kind, file, text }),
);

/** The environment without what a run of tests sets for those within it. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:VITEST|TEST|NODE_ENV|npm_)/.test(name)),
) as NodeJS.ProcessEnv;

/** Makes the change of a block of lines with " ", "-" and "+", whose place must be found once. */
function patch(folder: string, file: string, diff: string): void {
  const side = (without: string) =>
    diff
      .split("\n")
      .filter((line) => line !== "" && line[0] !== without)
      .map((line) => line.slice(1))
      .join("\n");
  const parts = readFileSync(join(folder, file), "utf8").split(side("+"));
  expect(parts, `${file} has the lines of this block once:\n${diff}`).toHaveLength(2);
  writeFileSync(join(folder, file), parts.join(side("-")));
}

test("the recipes of CONTRIBUTING.md, followed to the letter in a copy, pass every check", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "latchkey-recipes-"));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  copyInstalledSources(cwd);
  cpSync("tests", join(cwd, "tests"), { recursive: true });
  execFileSync("git", ["init", "--quiet"], { cwd });
  for (const { kind, file, text } of BLOCKS) {
    if (kind === "sh")
      for (const line of text.trim().split("\n")) await run("sh", ["-c", line], { cwd, env: environment });
    else if (kind === "diff") patch(cwd, file, text);
    else if (file !== "") {
      expect(existsSync(join(cwd, file)), file).toBe(false);
      mkdirSync(dirname(join(cwd, file)), { recursive: true });
      writeFileSync(join(cwd, file), text);
    }
  }
});
