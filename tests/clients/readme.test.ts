import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { findUser } from "@/lib/accounts/identity/user";
import { db } from "@/lib/platform/db/client";
import { isOnPath } from "@/scripts/install";
import { allow, approve } from "@/tests/contract/link";
import { enter } from "@/tests/link/flow";
import { origin } from "@/tests/support/http";
import { ownFolder } from "@/tests/support/place";

const { storage } = inject("service");

/** The commands of the README's walk-through, one block after another. */
const walkThrough = readFileSync("README.md", "utf8").split("## The API, step by step")[1]?.split("\n## ")[0] ?? "";
const blocks = [...walkThrough.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block ?? "");

/** What the lines of the block about keys print, as the README says below it: one each. */
const KEYS = [
  ...['"data":"the secret"', '"data":null', '"data":"the secret"', '"owned":false', '"added":true'],
  ...['"data":"the secret"', '"revoked":true', '"changed":true', "Key deleted successfully"],
];

const folder = ownFolder("readme");

const SHELLS = { bash: ["--norc", "--noprofile", "-i"], zsh: ["-f", "-i"] };

type Shell = keyof typeof SHELLS;

function openPrompt(
  shell: Shell,
  environment: NodeJS.ProcessEnv,
): { paste(lines: string): Promise<string> } & Disposable {
  const child = spawn(shell, SHELLS[shell], {
    env: { ...environment, PS1: "", PS2: "", TERM: "dumb" },
    stdio: "pipe",
    detached: true,
  });
  let printed = "";
  let hear = () => {};
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      printed += chunk;
      hear();
    });
  child.stdin.write("exec 2>&1\n");
  let pasted = 0;
  return {
    async paste(lines) {
      const [from, end] = [printed.length, `end of paste ${++pasted}`];
      child.stdin.write(`${lines}\necho 'end of'" paste ${pasted}"\n`);
      await new Promise<void>((resolve, reject) => {
        hear = () => printed.includes(end, from) && resolve();
        child.once("close", () => reject(new Error(`The shell ended:\n${printed}`)));
      });
      return printed.slice(from, printed.indexOf(end, from));
    },
    [Symbol.dispose]: () => void (child.exitCode === null && process.kill(-(child.pid ?? 0), "SIGKILL")),
  };
}

/** A shell in which blocks are pasted, at the address of the tests' service. */
function open(shell: Shell) {
  const environment = { NODE_ENV: "production" as const, PATH: process.env.PATH, HOME: folder, LOG_LEVEL: "silent" };
  const prompt = openPrompt(shell, { ...environment, ...storage });
  return {
    async paste(block: string) {
      const placed = block.replace("http://localhost:3000", origin);
      const printed = await prompt.paste(placed.replaceAll("files.json", join(folder, "files.json")));
      expect(printed).not.toMatch(/(?:command not found|parse error|no matches found|unmatched|syntax error)/);
      return printed;
    },
    [Symbol.dispose]: () => prompt[Symbol.dispose](),
  };
}

test("every line of the README's walk-through, pasted into bash, prints what it says", async () => {
  expect(blocks.length).toBe(5);
  const [users = "", keys = "", ask = "", collect = "", files = ""] = blocks;
  using prompt = open("bash");
  await prompt.paste(users);
  const answers = (await prompt.paste(keys)).split("\n").filter((line) => /[{[]"/.test(line));
  expect(answers).toEqual(KEYS.map((part) => expect.stringContaining(part)));

  const asked = await prompt.paste(ask);
  const code = /\{"code":"([A-Z]{6})"\}/.exec(asked)?.[1] ?? "";
  expect(asked).toMatch(new RegExp(`link: <${origin}/link\\?code=${code}>`, "i"));
  const alice = { ...(await findUser("alice")), token: "" };
  await approve(code, alice);
  // The tests' service has a proxy on this machine: what comes from here without its header needs a press.
  const { network } = await db.linkCode.findUniqueOrThrow({ where: { id: await enter(alice, code) } });
  await allow(code, alice, network);
  const token = /lk_\S+/.exec(await prompt.paste('echo "$alice"'))?.[0];
  expect(await prompt.paste(collect.replace("KMTRWB", code))).toContain(`{"linked":true,"token":"${token}"}`);
  expect(await prompt.paste(files)).toContain('"Hello, world"');
});

// zsh takes no comments at its prompt, and more words for patterns. Where it is missing, `npm test` says so.
if (isOnPath("zsh"))
  test("zsh understands every line as bash does", async () => {
    const show = (name: string, answer: string) => `printf '<%s>' ${name} "$@"; echo '${answer}'`;
    writeFileSync(join(folder, "latchkey"), `#!/bin/sh\n${show("latchkey", '"token":"t"')}\n`, { mode: 0o755 });
    const understood = async (shell: Shell) => {
      using prompt = open(shell);
      await prompt.paste(`curl() { ${show("curl", '"key":"k"')}; }; cd '${folder}'`);
      const printed = await prompt.paste([...blocks, `echo "<$alice $bob $key>"`].join("\n"));
      // Shells repeat what they read, each in its own way.
      return [printed.match(/<(?:curl|latchkey|t t k)>.*/g), readFileSync(join(folder, "files.json"), "utf8")];
    };
    const inBash = await understood("bash");
    // The lines about keys, the link's two, and the two about files, then the variables.
    expect(inBash[0]).toHaveLength(KEYS.length + 5);
    expect(inBash[1]).toContain("Hello, world");
    expect(await understood("zsh")).toEqual(inBash);
  });
