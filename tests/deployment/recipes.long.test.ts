import { execFile, execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { copyInstalledSources, patched, recipeBlocks } from "./fresh-checkout";

const run = promisify(execFile);

/** The environment without what a run of tests sets for those within it. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:VITEST|TEST|NODE_ENV|npm_)/.test(name)),
) as NodeJS.ProcessEnv;

test("the recipes of CONTRIBUTING.md, followed to the letter in a copy, pass every check", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "latchkey-recipes-"));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  copyInstalledSources(cwd);
  cpSync("tests", join(cwd, "tests"), { recursive: true });
  execFileSync("git", ["init", "--quiet"], { cwd });
  for (const { kind, file, text } of recipeBlocks()) {
    if (kind === "sh")
      for (const line of text.trim().split("\n")) await run("sh", ["-c", line], { cwd, env: environment });
    else if (kind === "diff")
      writeFileSync(join(cwd, file), patched(readFileSync(join(cwd, file), "utf8"), text) ?? "");
    else if (file !== "") {
      expect(existsSync(join(cwd, file)), file).toBe(false);
      mkdirSync(dirname(join(cwd, file)), { recursive: true });
      writeFileSync(join(cwd, file), text);
    }
  }
});
