import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "latchkey-dotenv-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(["NODE_EXTRA_CA_CERTS", "NODE_OPTIONS"])("%s in .env is refused by name: Node.js reads it before", (name) => {
  mkdirSync(join(folder, "scripts"), { recursive: true });
  cpSync("scripts/dotenv.mjs", join(folder, "scripts", "dotenv.mjs"));
  writeFileSync(join(folder, ".env"), `${name}=""\nPORT=3001\n`);
  const run = (more: Record<string, string> = {}) => {
    const program = [join(folder, "scripts", "dotenv.mjs")];
    const env = { ...more, PATH: process.env.PATH, NODE_ENV: "test" as const };
    const { status, stderr } = spawnSync(process.execPath, program, { env, encoding: "utf8" });
    return [status, stderr];
  };
  const sentence = `${name} has no effect in .env, because Node.js reads it before. Set it in the environment of the`;
  expect(run()).toEqual([1, expect.stringContaining(sentence)]);
  // The environment counts more than the file.
  expect(run({ [name]: "" })).toEqual([0, ""]);
});
