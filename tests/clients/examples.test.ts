import { cpSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join, resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { tokensOf } from "@/lib/accounts/identity/access-tokens/list";
import { importDocument } from "@/lib/files/import";
import { parseEnvironment } from "@/lib/platform/env";
import { removeToken } from "@/lib/user-data/revoke-token";
import { newKey } from "@/tests/contract/keys";
import { approve, deny } from "@/tests/contract/link";
import { chunks, smallDocument } from "@/tests/support/documents";
import { ask, origin } from "@/tests/support/http";
import { listening, ownFolder } from "@/tests/support/place";
import { Program } from "@/tests/support/program";
import { makeUser } from "@/tests/support/user";

const NOWHERE = "http://127.0.0.1:1";
/** Programs that give up after a while do so sooner. */
const HURRIED = { NODE_OPTIONS: `--import=${resolve("tests/clients/hurried.mjs")}` };

/** As a reader has them: beside the client that the service serves. */
const folder = ownFolder("readers");
beforeAll(async () => {
  cpSync("examples", join(folder, "examples"), { recursive: true });
  writeFileSync(join(folder, "examples", "client.mjs"), (await ask("/client.mjs")).text);
});

function start([command = "", ...parameters]: readonly string[], variables: Record<string, string> = {}): Program {
  const placed = parameters.map((parameter) => parameter.replace(/^examples/, join(folder, "examples")));
  return new Program([command, ...placed], { env: { ...process.env, ...variables } });
}

/** The six letters that it shows. */
const codeOf = (program: Program) => program.shown(/: ([A-Z]{6})\n/);

/** The status of a program that ends by itself, and what it printed. */
async function run(words: readonly string[], variables?: Record<string, string>): Promise<[number | string, string]> {
  const program = start(words, variables);
  return [await program.exit(), program.output];
}

describe.concurrent("linking with", () => {
  test.each([
    ["bash", "examples/link.sh"],
    ["node", "examples/link-node.mjs"],
    ["python3", "examples/link.py"],
  ])("%s %s", async (...program) => {
    const user = await makeUser();
    const [linked, denied] = [start([...program, origin]), start([...program, origin])];
    await approve(await codeOf(linked), user);
    await deny(await codeOf(denied), user);
    expect(await linked.exit(), linked.output).toBe(0);
    expect(linked.output).toContain(`Linked to ${user.username}.`);
    expect(linked.output).not.toMatch(/lkt?_/);
    const [token, ...others] = await tokensOf(user.id);
    expect([token?.access, others]).toEqual(["identity", []]);
    expect(await denied.exit(), denied.output).toBe(1);
    expect(denied.output).toMatch(/\nThe code was denied, or has expired\.\n$/);

    // A sentence, and no stack trace, where nobody answers, and where it is refused a code.
    const [away, nobody] = await run([...program, NOWHERE], HURRIED);
    expect([away === 0, nobody.trim().split("\n")]).toEqual([false, [expect.stringContaining("127.0.0.1")]]);
    const refusing = createServer((_, response) => {
      response.writeHead(503, { "Content-Type": "application/json", "Retry-After": "1" });
      const error = "Too many codes are waiting.";
      response.end(JSON.stringify({ success: false, error, message: error, code: "unavailable" }));
    });
    const at = `http://127.0.0.1:${await listening(refusing)}`;
    const [refused, words] = await run([...program, at], HURRIED);
    refusing.close();
    const sentence = expect.stringMatching(/Too many codes are waiting\.|503/);
    expect([refused === 0, words.trim().split("\n")]).toEqual([false, [sentence]]);
  });
});

describe.concurrent("checking a key with", () => {
  test.each([
    ["bash", "examples/check-key.sh"],
    ["node", "examples/check-key.mjs"],
    ["python3", "examples/check-key.py"],
  ])("%s %s", async (...program) => {
    const { username, ...user } = await makeUser();
    const key = await newKey({ username, ...user });
    expect(await run([...program, origin, username, key])).toEqual([0, expect.stringContaining("holds the key")]);
    const none = await run([...program, origin, "nobody-at-all", key]);
    expect(none).toEqual([1, expect.stringContaining("does not hold the key")]);
    // Not 1, which would mean that the user does not hold the key.
    expect((await run([...program, NOWHERE, username, key], HURRIED))[0]).toBe(2);
    expect((await run(program))[0]).toBe(2);
  });
});

test("offline-licence.mjs says who holds a key, also when the service cannot be reached", async () => {
  const { username, ...user } = await makeUser();
  const key = await newKey({ username, ...user });
  const own = mkdtempSync(join(folder, "licence-"));
  writeFileSync(join(own, "jwks.json"), (await ask("/.well-known/jwks.json")).text);
  const program = join(folder, "examples", "offline-licence.mjs");
  // The program's files are in the folder in which it is started.
  const check = (name: string, variables = {}) =>
    run(["sh", "-c", 'cd "$0" && exec node "$@"', own, program, origin, name, key], variables);
  const holds = `${username} holds the key.\n`;
  expect(await check(username)).toEqual([0, expect.stringContaining(`${holds}Works offline until `)]);
  const block = join(own, "block.mjs");
  writeFileSync(block, 'globalThis.fetch = async () => { throw new TypeError("fetch failed"); };');
  const offline = { NODE_OPTIONS: `${HURRIED.NODE_OPTIONS} --import=${block}` };
  expect(await check(username, offline)).toEqual([0, expect.stringContaining(`${holds}Offline until `)]);
  expect((await check("nobody-at-all", offline))[0]).toBe(2);
  expect(await check("nobody-at-all")).toEqual([1, expect.stringContaining("does not hold the key")]);
});

test("game-server.mjs learns from play.mjs who is playing", async () => {
  const user = await makeUser();
  const server = start([process.execPath, "examples/game-server.mjs", origin, "play.example.org", "0"]);
  const at = `http://127.0.0.1:${await server.shown(/port (\d+)/)}`;
  const play = (audience: string, TOKEN = user.token) =>
    run([process.execPath, "examples/play.mjs", origin, audience, at], { TOKEN });
  expect(await play("play.example.org")).toEqual([0, `Welcome, ${user.username}. Your id is ${user.id}.\n`]);
  expect(await play("another")).toEqual([1, "What was signed has another aud.\n"]);
  expect(await play("play.example.org", "lk_none")).toEqual([1, expect.stringContaining("Invalid token")]);
  server.child.kill();
  await server.exit();
});

test("list-files.py, with the Python client, lists what is stored, and no character that moves a cursor", async () => {
  const user = await makeUser();
  const list = (TOKEN: string) => {
    const variables = { TOKEN, PYTHONPATH: "clients/python/src", PYTHONDONTWRITEBYTECODE: "1" };
    return run(["python3", "examples/list-files.py", origin], variables);
  };
  expect(await list("")).toEqual([1, "Set the variable TOKEN to the user's token.\n"]);
  expect(await list(user.token)).toEqual([0, "Nothing is stored yet.\n"]);
  expect(await list("lk_none")).toEqual([1, expect.stringMatching(/^Invalid token.*\n$/)]);
  const document = smallDocument(user.username).with(2 * 14 + 1, "a\u001b[2J");
  await importDocument(user, chunks(JSON.stringify(document)));
  const home = `origin/(c) users/${user.username}`;
  const sizes = [`5  ${home}/docs/a?[2J.txt`, `12  ${home}/file 4.txt`, "17  bytes in 2 files"];
  const [status, output] = await list(user.token);
  expect([status, output.trim().split(/\n\s*/)]).toEqual([0, sizes]);
});

describe.concurrent("what is stored is saved, and only what has changed, by", () => {
  test.each([
    ["bash", "examples/backup.sh"],
    ["node", "examples/backup.mjs"],
    ["python3", "examples/backup.py"],
  ])("%s %s", async (...program) => {
    const user = await makeUser();
    const own = mkdtempSync(join(folder, "backup-"));
    const copy = join(own, "files.json");
    expect(await run([...program, origin, copy])).toEqual([1, expect.stringMatching(/^.*TOKEN.*\n$/)]);
    const back = async (at = origin, TOKEN = user.token) => {
      const [status, output] = await run([...program, at, copy], { TOKEN, ...(at === NOWHERE && HURRIED) });
      return [status, output.trim()];
    };
    expect(await back()).toEqual([0, "Nothing is stored yet."]);
    for (const text of ["first", "second"]) {
      const document = smallDocument(user.username, text);
      await importDocument(user, chunks(JSON.stringify(document)));
      const saved = await back();
      expect(saved).toEqual([0, `Saved ${statSync(copy).size} bytes.`]);
      expect(JSON.parse(readFileSync(copy, "utf8"))).toEqual(document);
    }
    expect(await back()).toEqual([0, "Nothing has changed."]);
    expect(await back(NOWHERE)).toEqual([1, expect.stringContaining("The old copy is unchanged.")]);
    expect(await back(origin, "lk_none")).toEqual([1, expect.stringContaining("Invalid token.")]);
    expect(JSON.parse(readFileSync(copy, "utf8"))).toEqual(smallDocument(user.username, "second"));
    expect(readdirSync(own).toSorted()).toEqual(["files.json", "files.json.etag"]);
  });
});

test("desktop.mjs stays signed in, and links again after its token was removed", async () => {
  const user = await makeUser();
  const own = mkdtempSync(join(folder, "desktop-"));
  // Nothing may open a browser here.
  const variables = { XDG_CONFIG_HOME: own, PATH: dirname(process.execPath) };
  const words = [process.execPath, "examples/desktop.mjs", origin];
  for (const round of ["first", "after its token was removed"]) {
    const program = start(words, variables);
    await approve(await codeOf(program), user);
    const printed = expect.stringContaining(`Signed in as ${user.username}.`);
    expect([await program.exit(), program.output], round).toEqual([0, printed]);
    expect(statSync(join(own, "latchkey-example", "token")).mode & 0o777).toBe(0o600);
    expect(await run(words, variables)).toEqual([0, `Signed in as ${user.username}.\n`]);
    for (const { id } of await tokensOf(user.id)) await removeToken(user.id, { id });
  }
});

test("production.env is a configuration that the service takes", () => {
  const lines = readFileSync("examples/production.env", "utf8").split("\n");
  const set = lines.flatMap((line) => (/^[A-Z]/.test(line) ? [line.split("=") as [string, string]] : []));
  expect(parseEnvironment(Object.fromEntries(set))).toMatchObject({ NEXTAUTH_URL: "https://keys.example.org" });
});

test("the documentation offers every example to download, for this service", async () => {
  for (const name of readdirSync("examples")) {
    const { status, headers, text } = await ask(`/docs/examples/${name}`);
    expect([status, headers["content-disposition"]], name).toEqual([200, `attachment; filename=${name}`]);
    expect(text).toBe(
      readFileSync(`examples/${name}`, "utf8").replaceAll("http://localhost:3000", origin).replaceAll("examples/", ""),
    );
  }
  for (const name of ["nothing.sh", "..%2Fpackage.json", "toString"])
    expect((await ask(`/docs/examples/${name}`)).status, name).toBe(404);
});
