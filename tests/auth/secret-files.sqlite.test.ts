import { chmodSync, mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { isBesideData, readSecrets, secretSource } from "@/lib/platform/crypto/secret-source";
import { derivedKeys, type Purpose } from "@/lib/platform/crypto/secrets";
import { env, parseEnvironment } from "@/lib/platform/env";
import { runScript } from "@/tests/support/admin";

/** What a process of its own says, with nothing in its environment but what is given. */
const authSecretOf = (environment: Record<string, string>) =>
  runScript("tests/auth/print-secrets.ts", [], { PATH: process.env.PATH, NODE_ENV: "test", ...environment });

/** Loaded before: says in which order files reach the disk and get their names. */
const SAYING = `
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
const { fsyncSync, linkSync, readlinkSync } = fs;
fs.fsyncSync = (fd) => { fsyncSync(fd); console.error("on disk", readlinkSync("/proc/self/fd/" + fd)); };
fs.linkSync = (from, to) => { linkSync(from, to); console.error("named", to); };
syncBuiltinESMExports();`;

const scratch = () => mkdtempSync(join(env.DATA_DIR, "secret-"));

// Each starts processes of its own.
describe.concurrent("without AUTH_SECRET, on the embedded database", () => {
  test("processes that start concurrently create one secret, readable by its owner only", async () => {
    const folder = join(scratch(), "data");
    const printed = await Promise.all(Array.from({ length: 4 }, () => authSecretOf({ DATA_DIR: folder })));
    const secrets = new Set(printed.map(({ stdout }) => stdout.trim()));
    const file = join(folder, "secret");
    expect([...secrets]).toEqual([readFileSync(file, "utf8").trim()]);
    expect(Buffer.from([...secrets][0] ?? "", "base64url")).toHaveLength(32);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(folder)).toEqual(["secret"]);
  });

  test.runIf(process.platform === "linux")("a new one is on the disk before anything is stored under it", async () => {
    const folder = scratch();
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(SAYING)}`;
    const { stderr } = await authSecretOf({ DATA_DIR: folder, NODE_OPTIONS });
    const steps = stderr.split("\n").filter((line) => line.includes(folder));
    expect(steps).toEqual([
      expect.stringMatching(/^on disk .*\/secret\.\d+\.\w{8}$/),
      `named ${folder}/secret`,
      `on disk ${folder}`,
    ]);
  });

  test("an existing secret is kept", async () => {
    const { folder, secret } = fileWith("secret");
    expect((await authSecretOf({ DATA_DIR: folder })).stdout).toBe(`${secret}\n`);
  });
});

describe.concurrent("without AUTH_SECRET, a start is refused with a sentence that says how to make one", () => {
  test.each([
    ["with PostgreSQL", { DATABASE_URL: "postgresql://127.0.0.1:1/none" }],
    ["on Vercel", { VERCEL: "1" }],
  ])("%s", async (_, environment) => {
    const ended = await authSecretOf({ DATA_DIR: join(tmpdir(), "latchkey-never-made"), ...environment });
    expect(ended).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^AUTH_SECRET must be set .*openssl rand/),
    });
  });
});

/** A file with a secret: its own, so that it shows where it came from. */
function fileWith(name: string, mode = 0o600, secret = `secret-of-${name}-${"x".repeat(32)}`) {
  const file = join(scratch(), name);
  writeFileSync(file, `${secret}\n`);
  // The umask of this process may be that of the data folder.
  chmodSync(file, mode);
  return { file, secret, folder: dirname(file) };
}

describe("a secret of its own comes from the first of its sources that is there", () => {
  const settings = (set: Record<string, string>) => parseEnvironment({ DATA_DIR: "data", ...set });
  const credential = fileWith("auth_secret");
  const mounted = fileWith("auth_secret");
  const variable = { AUTH_SECRET: "v".repeat(32) };
  const named = { AUTH_SECRET_FILE: "/etc/latchkey/secret" };
  const systemd = { CREDENTIALS_DIRECTORY: credential.folder };

  test.each([
    [{ ...variable, ...systemd }, mounted.folder, { from: "AUTH_SECRET" }],
    [{ ...named, ...systemd }, mounted.folder, { from: "AUTH_SECRET_FILE", file: "/etc/latchkey/secret" }],
    [systemd, mounted.folder, { from: "credential", file: credential.file }],
    [{ CREDENTIALS_DIRECTORY: scratch() }, mounted.folder, { from: "container", file: mounted.file }],
    [{}, mounted.folder, { from: "container", file: mounted.file }],
    [{}, scratch(), { from: "data folder", file: "data/secret" }],
  ])("%j", (set, folder, source) => {
    expect(secretSource(settings(set), folder)).toEqual(source);
  });

  test("AUTH_SECRET and AUTH_SECRET_FILE together are refused", () => {
    expect(() => settings({ ...variable, ...named })).toThrow(
      "AUTH_SECRET and AUTH_SECRET_FILE are both set. Remove one of them.",
    );
  });

  test("one in the data folder, also by another name, lies beside the data, unless they are in PostgreSQL", () => {
    const { file, folder } = fileWith("named");
    const link = join(scratch(), "link");
    symlinkSync(file, link);
    const at = (more: Record<string, string>) => isBesideData(settings({ DATA_DIR: folder, ...more }));
    expect([at({}), at({ AUTH_SECRET_FILE: file }), at({ AUTH_SECRET_FILE: link })]).toEqual([true, true, true]);
    expect([at(variable), at({ AUTH_SECRET_FILE: mounted.file }), at(systemd)]).toEqual([false, false, false]);
    expect(at({ AUTH_SECRET_FILE: file, DATABASE_URL: "postgresql://db/x" })).toBe(false);
  });
});

describe.concurrent("a file with the secret", () => {
  const given = fileWith("given");
  test("is read, with PostgreSQL too", async () => {
    const environment = { DATA_DIR: scratch(), AUTH_SECRET_FILE: given.file };
    const DATABASE_URL = "postgresql://127.0.0.1:1/none";
    expect((await authSecretOf({ ...environment, DATABASE_URL })).stdout).toBe(`${given.secret}\n`);
    expect(readdirSync(environment.DATA_DIR)).toEqual([]);
  });

  const from = "AUTH_SECRET_FILE";
  test.each([
    ["that is missing", join(scratch(), "none"), /\(AUTH_SECRET_FILE\) cannot be read: ENOENT\.$/],
    ["that is a folder", scratch(), /cannot be read: EISDIR\.$/],
    ["too short", fileWith("s", 0o600, "short").file, /\(AUTH_SECRET_FILE\) must have at least 32 characters/],
    ["open to others", fileWith("open", 0o644).file, /open is open to others \(mode 644\): chmod 600 \S+open$/],
  ])("%s is refused", (_, file, sentence) => {
    expect(() => readSecrets({ from, file })).toThrow(sentence);
  });

  test("may be open to others where the platform put it, and ends a process where it is not there", async () => {
    const { file, secret, folder } = fileWith("auth_secret", 0o444);
    env.CREDENTIALS_DIRECTORY = folder;
    const given = readSecrets({ from: "credential", file });
    env.CREDENTIALS_DIRECTORY = undefined;
    expect(given).toBe(`${secret}\n`);
    const DATA_DIR = scratch();
    const missing = await authSecretOf({ DATA_DIR, AUTH_SECRET_FILE: join(scratch(), "none") });
    expect(missing).toMatchObject({
      status: 1,
      stdout: "",
      stderr: expect.stringMatching(/^The secret in .*ENOENT\.\n$/),
    });
    expect(readdirSync(DATA_DIR)).toEqual([]);
  });
});

test("each purpose has its own key", () => {
  const purposes: Purpose[] = ["token look-up", "token sealing", "link codes", "link masks", "sessions", "cookies"];
  const keys = purposes.map((purpose) => derivedKeys(purpose)[0].export().toString("hex"));
  expect(new Set(keys).size).toBe(purposes.length);
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{64}$/);
});
