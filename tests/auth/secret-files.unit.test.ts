import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { env } from "@/lib/env";
import { derivedKeys, type Purpose } from "@/lib/secrets";

const run = promisify(execFile);
const PRINT =
  'import { authSecrets } from "@/lib/secrets"; try { console.log(authSecrets().join(" ")); } catch ' +
  "(error) { console.error(error.message); process.exitCode = 1; }";

/** What a process of its own says, with nothing in its environment but what is given. */
function authSecretOf(environment: Record<string, string>) {
  return run(process.execPath, ["node_modules/tsx/dist/cli.mjs", "-e", PRINT], {
    env: { PATH: process.env.PATH, NODE_ENV: "test", ...environment },
  });
}

const scratch = () => mkdtempSync(join(env.DATA_DIR, "secret-"));

describe("without AUTH_SECRET, on the embedded database", () => {
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

  test("an existing secret is kept", async () => {
    const folder = scratch();
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "secret"), "the-one-that-was-there-before-and-stays\n", { mode: 0o600 });
    expect((await authSecretOf({ DATA_DIR: folder })).stdout).toBe("the-one-that-was-there-before-and-stays\n");
  });
});

describe("without AUTH_SECRET, a start is refused with a sentence that says how to make one", () => {
  test.each([
    ["with PostgreSQL", { DATABASE_URL: "postgresql://127.0.0.1:1/none" }],
    ["on Vercel", { VERCEL: "1" }],
  ])("%s", async (_, environment) => {
    const folder = join(tmpdir(), "latchkey-never-made");
    await expect(authSecretOf({ DATA_DIR: folder, ...environment })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^AUTH_SECRET must be set .*openssl rand/),
    });
  });
});

test("each purpose has its own key", () => {
  const purposes: Purpose[] = ["token look-up", "token sealing", "link codes", "link masks", "sessions", "cookies"];
  const keys = purposes.map((purpose) => derivedKeys(purpose)[0].export().toString("hex"));
  expect(new Set(keys).size).toBe(purposes.length);
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{64}$/);
});
