import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runAdmin } from "@/tests/support/admin";
import { bundled } from "@/tests/support/bundle";
import { smallDocument } from "@/tests/support/documents";
import { newUserOf } from "@/tests/support/operator";
import { type RunningService, startService } from "@/tests/support/service";

const execute = promisify(execFile);
const MOST_LINES = 100;
let folder: string;
let service: RunningService;
let token: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "latchkey-pack-"));
  service = await startService({ lane: "direct", database: "sqlite" });
  token = await newUserOf(service, "alice");
  const document = join(folder, "files.json");
  writeFileSync(document, JSON.stringify(smallDocument("alice")));
  const environment = { PATH: process.env.PATH, NODE_ENV: "production" as const, ...service.storage };
  expect((await runAdmin(["files:import", "alice", document], environment)).status).toBe(0);
});
afterAll(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Packs a client and installs it as a new user would, without any registry. Returns the names of its files. */
async function install(client: string): Promise<string[]> {
  const packed = ["pack", "--json", "--pack-destination", folder];
  const { stdout } = await execute("npm", packed, { cwd: resolve("clients", client) });
  const [{ filename, files }] = JSON.parse(stdout.slice(stdout.indexOf("[\n")));
  await execute("npm", ["install", "--offline", "--no-audit", "--no-fund", join(folder, filename)], { cwd: folder });
  return files.map(({ path }: { path: string }) => path).sort();
}

/** The blocks of code in a README. */
const blocks = (client: string, language: string): string[] =>
  [...readFileSync(`clients/${client}/README.md`, "utf8").matchAll(/^```(\w+)\n(.*?)^```/gms)].flatMap(
    ([, name, code = ""]) => (name === language ? [code] : []),
  );

test.each(["typescript", "cli"])("the README of %s has less than 100 lines", (client) => {
  expect(readFileSync(`clients/${client}/README.md`, "utf8").trimEnd().split("\n").length).toBeLessThan(MOST_LINES);
});

describe("installed in an empty folder, and used from the README alone", () => {
  test("the client", async () => {
    writeFileSync(join(folder, "package.json"), '{"private":true,"type":"module"}');
    expect(await install("typescript")).toEqual([
      ...["LICENSE", "README.md", "dist/client.d.mts", "dist/client.mjs", "package.json"],
    ]);
    expect(readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith("."))).toEqual([
      "latchkey-client",
    ]);
    // The program begins as that of the README, with a token in place of a person at a browser.
    const [link = "", check = "", files = ""] = blocks("typescript", "js");
    const program = [link.replace(/const token = await [\s\S]*?\}\);\n/, ""), check, files].join("\n");
    expect(program).toContain("latchkey.files.read");
    const ready = program.replace("http://localhost:3000", service.url).replace('");', `", { token: "${token}" });`);
    writeFileSync(join(folder, "program.mjs"), ready);
    const { stdout } = await execute(process.execPath, ["program.mjs"], { cwd: folder });
    expect(stdout.split("\n")).toEqual([
      "Linked to alice.",
      "origin/(c) users/alice/docs a / b.txt 5",
      expect.stringMatching(/^origin\/\(c\) users\/alice file 4\.txt \d+$/),
      "",
    ]);
  });

  test("the command line", async () => {
    expect(await install("cli")).toEqual([
      ...["LICENSE", "README.md", "THIRD-PARTY.txt", "dist/latchkey.mjs", "package.json"],
    ]);
    const command = join(folder, "node_modules", ".bin", "latchkey");
    const env = {
      NODE_ENV: "production" as const,
      PATH: process.env.PATH,
      LATCHKEY_ADDRESS: service.url,
      LATCHKEY_TOKEN: token,
    };
    const [{ key }] = await run(["keys", "create", "the secret", "--name", "Full version", "--price", "5"]);
    for (const line of blocks("cli", "sh").join("").split("\n")) {
      const [, sent] = /^latchkey (keys (?!create).*|whoami)$/.exec(line) ?? [];
      if (!sent) continue;
      const words = sent
        .replace(/[0-9a-f]{32}/, key)
        .split(" ")
        .map((word) => (word === "bob" ? "alice" : word));
      if (words[1] === "revoke") continue;
      await run([...words, ...(words[1] === "delete" ? ["--yes"] : [])]);
    }

    async function run(sent: string[]) {
      const { stdout } = await execute(command, [...sent, "--json"], { env, cwd: folder });
      return [JSON.parse(stdout)];
    }
  });
});

describe("completion", () => {
  test("bash offers the commands that fit", async () => {
    const program = await bundled("clients/cli/src/main.ts");
    const script = `source <(${process.execPath} ${program} completion bash)
      offer() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _latchkey; echo "\${COMPREPLY[@]}"; }
      offer latchkey ""; offer latchkey keys d; offer latchkey files pull --w; offer latchkey keys set x ""`;
    const { stdout } = await execute("bash", ["-c", script]);
    const [first = "", second, third, fourth] = stdout.split("\n");
    expect(first.split(" ")).toEqual(expect.arrayContaining(["login", "logout", "whoami", "keys", "files"]));
    expect([second, third]).toEqual(["delete", "--watch"]);
    expect(fourth?.split(" ")).toEqual(expect.arrayContaining(["data", "name", "price"]));
  });

  test("zsh takes its script", async () => {
    const program = await bundled("clients/cli/src/main.ts");
    const script = `autoload -Uz compinit && compinit -u -D &&
      source <(${process.execPath} ${program} completion zsh) &&
      whence -w _latchkey`;
    const { stdout } = await execute("zsh", ["-f", "-c", script], { env: { ...process.env, HOME: folder } });
    expect(stdout).toBe("_latchkey: function\n");
  });

  test("every command has an example in its help, and is in fish's script", async () => {
    const program = await bundled("clients/cli/src/main.ts");
    const { stdout } = await execute(process.execPath, [program, "completion", "fish"]);
    const commands = [["login"], ["logout"], ["whoami"], ["completion"], ["files", "ls"], ["files", "pull"]];
    const ofKeys = ["list", "get", "create", "give", "revoke", "set", "delete"].map((name) => ["keys", name]);
    for (const words of [...commands, ...ofKeys]) {
      const help = await execute(process.execPath, [program, ...words, "--help"]);
      expect(help.stdout, words.join(" ")).toMatch(new RegExp(`Example:\\n {2}latchkey ${words.join(" ")}`));
      expect(stdout).toContain(`-a ${words.at(-1)} `);
    }
  });
});
