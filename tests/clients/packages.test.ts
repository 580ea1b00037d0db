import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { gunzipSync, gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { importDocument } from "@/lib/files/import";
import manifest from "@/package.json";
import { bundled } from "@/scripts/bundled.mjs";
import { clientModule, clientTypes } from "@/scripts/clients/bundle.mjs";
import { findPython } from "@/scripts/install";
import { approve } from "@/tests/contract/link";
import { chunks, smallDocument } from "@/tests/support/documents";
import { ask, origin } from "@/tests/support/http";
import { ownFolder } from "@/tests/support/place";
import { Program } from "@/tests/support/program";
import { makeUser, makeUsers, type TestUser } from "@/tests/support/user";

const execute = promisify(execFile);
const folder = ownFolder("pack");

test("the client depends on nothing, and is less than 9 KB on its way", async () => {
  const code = await clientModule();
  expect(code).not.toMatch(/\bimport\b|\brequire\b|\bprocess\b|\bBuffer\b/);
  expect(gzipSync(code).length).toBeLessThan(9_000);
});

test("its types are whole: a program that uses all of it compiles against them alone", async () => {
  writeFileSync(join(folder, "client.d.mts"), clientTypes());
  writeFileSync(
    join(folder, "program.mts"),
    [
      'import { type Entry, type ErrorCode, type Key, Latchkey, LatchkeyError } from "./client.mjs";',
      'const latchkey = new Latchkey("http://localhost:3000", { token: "lk_x" });',
      'const token: string = await latchkey.link({ access: "read", onCode: ({ code, url }) => code + url });',
      "const keys: Key[] = await latchkey.keys.mine();",
      "const me = await latchkey.me();",
      'const access: "identity" | "read" | "everything" | undefined = "token" in me ? me.token.access : undefined;',
      "for await (const entry of (await latchkey.files.read()) ?? []) { const one: Entry = entry; one.bytes(); }",
      "for await (const entry of (await latchkey.files.index({ under: 'docs' })) ?? []) await entry.details();",
      "const letter: Entry = await latchkey.files.get({ path: 'docs/letter.txt' });",
      "// @ts-expect-error: an index has no data.",
      "for await (const entry of (await latchkey.files.index()) ?? []) await entry.text();",
      "// @ts-expect-error: a path or an id.",
      "await latchkey.files.get({ id: letter.name, path: letter.name });",
      "try { await latchkey.keys.delete(token + access + keys[0]?.key); } catch (error) {",
      '  if (error instanceof LatchkeyError && error.code === "key_not_found") throw error;',
      '  const code: ErrorCode = "no_files";',
      "  // @ts-expect-error: not a code of the service.",
      '  const wrong: ErrorCode = "no_such_code";',
      "  throw new Error(code + wrong);",
      "}",
      "// @ts-expect-error: not an access.",
      'await latchkey.link({ access: "all", onCode() {} });',
    ].join("\n"),
  );
  const options = ["--ignoreConfig", "--strict", "--noEmit", "--target", "es2022", "--module", "nodenext"];
  const compiler = ["node_modules/typescript-7/bin/tsc", ...options, "--lib", "es2023,dom,dom.iterable", "--types", ""];
  const { stdout } = await execute(process.execPath, [...compiler, join(folder, "program.mts")]).catch(
    (error) => error,
  );
  expect(stdout).toBe("");
});

test.each([
  ["/client.mjs", "text/javascript; charset=utf-8", clientModule],
  ["/client.d.mts", "text/plain; charset=utf-8", clientTypes],
] as const)("the service serves %s to every origin", async (path, type, made) => {
  const { status, headers, text } = await ask(path, { headers: { Origin: "https://elsewhere.example" } });
  expect([status, text]).toEqual([200, await made()]);
  expect(headers).toMatchObject({
    ...{ "content-type": type, "access-control-allow-origin": "*", "cache-control": "public, max-age=3600" },
    ...{ "cross-origin-resource-policy": "cross-origin", "x-content-type-options": "nosniff" },
  });
  expect(headers["set-cookie"]).toBeUndefined();
  const again = await ask(path, { headers: { "If-None-Match": String(headers.etag) } });
  expect([again.status, again.text]).toEqual([304, ""]);
});

test("the client is compressed, and says where its types are", async () => {
  const { headers, bytes } = await ask("/client.mjs", { headers: { "Accept-Encoding": "gzip" } });
  expect(headers["x-typescript-types"]).toBe("./client.d.mts");
  expect(headers["content-encoding"]).toBe("gzip");
  expect(gunzipSync(bytes).toString()).toBe(await clientModule());
});

/** The blocks of code in a README. */
const blocks = (client: string, language: string): string[] =>
  [...readFileSync(`clients/${client}/README.md`, "utf8").matchAll(/^```(\w+)\n(.*?)^```/gms)].flatMap(
    ([, name, code = ""]) => (name === language ? [code] : []),
  );

describe("installed in an empty folder, without any registry, and used from the README alone,", () => {
  const CLIENTS = ["typescript", "cli"];
  let user: TestUser;
  /** A clone of the repository, next to which a program's folder is. */
  const clone = join(folder, "clone");
  const offline = { npm_config_offline: "true", npm_config_audit: "false", npm_config_fund: "false" };
  beforeAll(async () => {
    user = await makeUser();
    await importDocument(user, chunks(JSON.stringify(smallDocument(user.username))));
    const sources = CLIENTS.map((client) => resolve("clients", client));
    const { stdout } = await execute("npm", ["pack", "--json", "--pack-destination", folder, ...sources]);
    const packed: { filename: string; files: { path: string }[] }[] = JSON.parse(stdout.slice(stdout.indexOf("[\n")));
    expect(packed.map(({ files }) => files.map(({ path }) => path).sort())).toEqual([
      ["LICENSE", "README.md", "dist/client.d.mts", "dist/client.mjs", "package.json"],
      ["LICENSE", "README.md", "THIRD-PARTY.txt", "dist/latchkey.mjs", "package.json"],
    ]);
    mkdirSync(clone);
    symlinkSync(resolve("clients"), join(clone, "clients"));
    const env = { ...process.env, ...offline, npm_config_cache: join(folder, "cache") };
    for (const client of CLIENTS) {
      const commands = blocks(client, "sh").find((block) => block.includes("npm pack")) ?? "";
      // In place of the machine's own folder of programs.
      const here = { ...env, ...(client === "cli" && { npm_config_prefix: join(folder, "global") }) };
      await execute("bash", ["-ec", commands], { cwd: clone, env: here });
    }
    expect(readdirSync(join(folder, "my-program", "node_modules"))).toContain("latchkey-client");
    expect(readdirSync(join(folder, "global", "lib", "node_modules"))).toEqual(["latchkey-cli"]);
  });

  test("the client reads files", async () => {
    // The program begins as that of the README, with a token in place of a person at a browser.
    const [link = "", check = "", files = ""] = blocks("typescript", "js");
    const program = [link.replace(/const token = await [\s\S]*?\}\);\n/, ""), check, files].join("\n");
    expect(program).toContain("latchkey.files.read");
    const ready = program.replace("http://localhost:3000", origin).replace('");', `", { token: "${user.token}" });`);
    const home = `origin/(c) users/${user.username}`;
    const download = (blocks("typescript", "sh")[0] ?? "").replaceAll("http://localhost:3000", origin);
    const cwd = join(folder, "my-program");
    await execute("bash", ["-ec", download], { cwd });
    for (const source of ["latchkey-client", "./client.mjs"]) {
      writeFileSync(join(cwd, "program.mjs"), ready.replace("latchkey-client", source));
      const { stdout } = await execute(process.execPath, ["program.mjs"], { cwd });
      expect(stdout.replace(/\d+\n$/, "")).toBe(
        `Linked to ${user.username}.\n${home}/docs a / b.txt 5\n${home} file 4.txt `,
      );
    }
  });

  test("the command line manages keys", async () => {
    const command = join(folder, "global", "bin", "latchkey");
    const variables = { LATCHKEY_ADDRESS: origin, LATCHKEY_TOKEN: user.token };
    const env = { NODE_ENV: "production" as const, PATH: process.env.PATH, ...variables };
    const run = async (sent: string[]) =>
      JSON.parse((await execute(command, [...sent, "--json"], { env, cwd: folder })).stdout);
    const { key } = await run(["keys", "create", "the secret", "--name", "Full version", "--price", "5"]);
    const lines = blocks("cli", "sh").join("").split("\n");
    const sent = lines.flatMap((line) => /^latchkey (keys (?!create|revoke).*|whoami)$/.exec(line)?.[1] ?? []);
    expect(sent.length).toBeGreaterThan(4);
    for (const line of sent) {
      const words = line
        .replace(/[0-9a-f]{32}/, key)
        .replace(/ bob$/, ` ${user.username}`)
        .split(" ");
      await run([...words, ...(words[1] === "delete" ? ["--yes"] : [])]);
    }
  });
});

/** What this shell prints once it has the program's script of completion. */
async function completed(shell: "bash" | "zsh", before: string, after: string): Promise<string> {
  const program = `${process.execPath} ${await bundled("clients/cli/src/main.ts")}`;
  const script = `${before}\nsource <(${program} completion ${shell})\n${after}`;
  const options = shell === "zsh" ? ["-f", "-c", script] : ["-c", script];
  return (await execute(shell, options, { env: { ...process.env, HOME: folder } })).stdout;
}

test("completion in bash offers the commands that fit", async () => {
  const offer = `offer() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _latchkey; echo "\${COMPREPLY[@]}"; }`;
  const asked = `offer latchkey ""; offer latchkey keys d; offer latchkey files pull --w; offer latchkey keys set x ""`;
  const [first = "", second, third, fourth] = (await completed("bash", offer, asked)).split("\n");
  expect(first.split(" ")).toEqual(expect.arrayContaining(["login", "logout", "whoami", "keys", "files"]));
  expect([second, third]).toEqual(["delete", "--watch"]);
  expect(fourth?.split(" ")).toEqual(expect.arrayContaining(["data", "name", "price"]));
});

test("zsh takes its script of completion", async () => {
  const printed = await completed("zsh", "autoload -Uz compinit && compinit -u -D", "whence -w _latchkey");
  expect(printed).toBe("_latchkey: function\n");
});

test("the package has every type that a strict checker wants", async () => {
  const options = ["--strict", "--no-incremental", "--python-version", "3.9", "src"];
  const { stdout } = await execute("mypy", options, { cwd: "clients/python" });
  expect(stdout).toMatch(/^Success: no issues found in \d+ source files\n$/);
});

/** What a new user does, without a network: pip finds nothing but what the machine has. */
async function install(): Promise<string> {
  const python = findPython();
  if (!python) throw new Error("No Python with venv, pip, setuptools and wheel was found on this machine.");
  const sources = join(folder, "python");
  cpSync("clients/python", sources, { recursive: true });
  // With this machine's pip: one of its own would take seconds to install.
  await execute(python, ["-m", "venv", "--without-pip", join(folder, "venv")]);
  const empty = join(folder, "venv", "bin", "python3");
  const env = { ...process.env, HOME: folder, PIP_NO_INDEX: "1", PIP_DISABLE_PIP_VERSION_CHECK: "1" };
  const lines = (blocks("python", "sh")[0] ?? "").split("\n");
  const [build = [], installing = []] = lines.map((line) => line.split(" ").slice(3));
  await execute(python, ["-m", "pip", ...build, "--no-build-isolation"], { cwd: sources, env });
  await execute(python, ["-m", "pip", "--python", empty, ...installing], { cwd: sources, env });
  expect(readdirSync(join(sources, "dist"))).toEqual([`latchkey-${manifest.version}-py3-none-any.whl`]);
  const { stdout } = await execute(python, ["-m", "pip", "--python", empty, "show", "--files", "latchkey"], { env });
  for (const part of ["latchkey/py.typed", "latchkey/records.py", "LICENSE"]) expect(stdout).toContain(part);
  expect(stdout).toMatch(/^Requires: *$/m);
  rmSync(sources, { recursive: true });
  return empty;
}

test("the wheel, installed into an empty place, does what its README says", async () => {
  const python = await install();
  const [alice, bob] = (await makeUsers(2)) as [TestUser, TestUser];
  const text = blocks("python", "python").join("\n").replaceAll("http://localhost:3000", origin);
  const program = text.replaceAll('"bob"', `"${bob.username}"`);
  const running = new Program([python, "-c", program], { cwd: folder, env: { ...process.env, HOME: folder } });
  await approve(await running.shown(/compare the letters: ([A-Z]{6})\n/), alice);
  await running.exit();
  expect(running.output.split("\n").slice(1)).toEqual([
    `Linked to ${alice.username}`,
    "the secret",
    "Full version 2",
    "False",
    "Nothing is stored yet.",
    "key_not_found 404 There is no key with this id.",
    "",
  ]);
  expect(running.output).not.toContain(alice.token);
});
