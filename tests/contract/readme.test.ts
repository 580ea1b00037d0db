import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, inject, test } from "vitest";
import { findUser } from "@/lib/auth/users";
import { origin } from "@/tests/support/http";
import { approve } from "./link";

const { storage } = inject("service");

/** The commands of the README's walk-through, one block after another. */
const walkThrough = readFileSync("README.md", "utf8").split("## The main job, step by step")[1]?.split("\n## ")[0] ?? "";
const blocks = [...walkThrough.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block ?? "");

/** A line of the README with what its comment says that it prints, as far as that is to the letter. */
const CHECKED = /^(curl .*?)\s+#.*?("\w+":(?:"[^"…]*"|\w+)).*$/gm;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "latchkey-readme-"));
  return () => rmSync(folder, { recursive: true });
});

/** The block as a script that fails where a line prints something else than the README says. */
function asScript(block: string): string {
  return block
    .replace("http://localhost:3000", origin)
    .replaceAll("files.json", join(folder, "files.json"))
    .replace(/^curl -si .*$/m, (line) => `${line.replace(/\s+#.*$/, "")} | tee /dev/stderr`)
    .replace(
      CHECKED,
      (_, command: string, printed: string) =>
        `said=$(${command}); [[ $said == *'${printed}'* ]] || { echo "${command.replaceAll('"', '\\"')} said: $said"; exit 1; }`,
    );
}

test("every command of the README's walk-through prints what it says", { timeout: 180_000 }, async () => {
  expect(blocks.length).toBe(5);
  const [users = "", keys = "", ask = "", collect = "", files = ""] = blocks;
  expect([...keys.matchAll(CHECKED)].length).toBe(7);
  // The person's part lies between two blocks: the script waits for it.
  const waiting = `read -r code; said=$(${collect.split(/\s+#/)[0]?.replace("KMTRWB", "$code")}); [[ $said == *"\\"token\\":\\"$alice\\""* ]] || { echo "collected: $said"; exit 1; }`;
  const script = ["set -u", asScript(users), asScript(keys), asScript(ask), waiting, asScript(files)].join("\n");
  const shell = spawn("bash", ["-c", script], {
    env: { NODE_ENV: "production", PATH: process.env.PATH, HOME: folder, LOG_LEVEL: "silent", ...storage },
    stdio: "pipe",
  });
  let printed = "";
  for (const stream of [shell.stdout, shell.stderr]) stream.on("data", (chunk) => (printed += chunk));

  await expect.poll(() => printed, { timeout: 120_000 }).toMatch(/\{"code":"[A-Z]{6}"\}/);
  const code = /\{"code":"([A-Z]{6})"\}/.exec(printed)?.[1] ?? "";
  expect(printed).toMatch(new RegExp(`link: <${origin}/link\\?code=${code}>`, "i"));
  await approve(code, { ...(await findUser("alice")), token: "" });
  shell.stdin.end(`${code}\n`);
  const [status] = await once(shell, "close");
  expect(status, printed).toBe(0);
  expect(printed).toContain('"Hello, world"');
  expect(execFileSync("cat", [join(folder, "files.json")], { encoding: "utf8" })).toContain("Hello, world");
});
