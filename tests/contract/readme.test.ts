import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, inject, test } from "vitest";
import { db } from "@/lib/db/client";
import { findUser } from "@/lib/user";
import { isOnPath } from "@/scripts/install";
import { enter } from "@/tests/link/flow";
import { origin } from "@/tests/support/http";
import { openPrompt, type Shell } from "@/tests/support/prompt";
import { isHeavy } from "@/tests/support/size";
import { allow, approve } from "./link";

const { storage } = inject("service");

/** The commands of the README's walk-through, one block after another. */
const walkThrough = readFileSync("README.md", "utf8").split("## The API, step by step")[1]?.split("\n## ")[0] ?? "";
const blocks = [...walkThrough.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block ?? "");

/** What the lines of the block about keys print, as the README says below it: one each. */
const KEYS = [
  '"data":"the secret"',
  '"data":null',
  '"data":"the secret"',
  '"owned":false',
  '"added":true',
  '"data":"the secret"',
  '"revoked":true',
  '"changed":true',
  "Key deleted successfully",
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "latchkey-readme-"));
  return () => rmSync(folder, { recursive: true });
});

const placed = (block: string) =>
  block.replace("http://localhost:3000", origin).replaceAll("files.json", join(folder, "files.json"));

/** zsh takes no comments at its prompt, and more words for patterns. Where it is missing, `npm test` says so. */
const shells = (isHeavy ? (["bash", "zsh"] as const) : (["zsh"] as const)).filter((shell: Shell) => isOnPath(shell));

test.each(shells)(
  "every line of the README's walk-through, pasted into %s, prints what it says",
  { timeout: 180_000 },
  async (shell) => {
    expect(blocks.length).toBe(5);
    const [users = "", keys = "", ask = "", collect = "", files = ""] = blocks;
    using prompt = openPrompt(shell, {
      NODE_ENV: "production",
      PATH: process.env.PATH,
      HOME: folder,
      LOG_LEVEL: "silent",
      ...storage,
    });
    const paste = async (block: string) => {
      const printed = await prompt.paste(placed(block));
      expect(printed).not.toMatch(/(?:command not found|parse error|no matches found|unmatched|syntax error)/);
      return printed;
    };

    await paste(users);
    const answers = (await paste(keys)).split("\n").filter((line) => /[{[]"/.test(line));
    expect(answers).toEqual(KEYS.map((part) => expect.stringContaining(part)));

    const asked = await paste(ask);
    const code = /\{"code":"([A-Z]{6})"\}/.exec(asked)?.[1] ?? "";
    expect(asked).toMatch(new RegExp(`link: <${origin}/link\\?code=${code}>`, "i"));
    const alice = { ...(await findUser("alice")), token: "" };
    await approve(code, alice);
    // The tests' service has a proxy on this machine: what comes from here without its header needs a press.
    const { network } = await db.linkCode.findUniqueOrThrow({ where: { id: await enter(alice, code) } });
    await allow(code, alice, network);
    const token = /lk_\S+/.exec(await paste('echo "$alice"'))?.[0];
    expect(await paste(collect.replace("KMTRWB", code))).toContain(`{"linked":true,"token":"${token}"}`);

    expect(await paste(files)).toContain('"Hello, world"');
  },
);
