import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Browser, chromium } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { migratePostgres } from "@/lib/platform/db/migrate";
import { findBrowser } from "@/scripts/install";
import { createDatabase } from "@/scripts/postgres";
import { runAdmin } from "@/tests/support/admin";
import { acquirePostgres } from "@/tests/support/databases";
import { type Asking, sendTo } from "@/tests/support/request";
import { copyInstalledSources } from "./fresh-checkout";
import { launchVercel } from "./vercel-launcher";

/**
 * What Vercel would run, built by its own program and run by a small launcher: the packed functions in empty folders,
 * and nothing else.
 */

const AUTH_SECRET = randomBytes(32).toString("base64url");
const CRON_SECRET = randomBytes(16).toString("hex");

/** A copy of the sources with a database and a secret beside them, as an operator's folder may have. */
let checkout: string;
let postgres: Awaited<ReturnType<typeof acquirePostgres>>;
let browser: Browser;
let environment: { DATABASE_URL: string; AUTH_SECRET: string; NEXTAUTH_URL: string; CRON_SECRET: string };
beforeAll(async () => {
  postgres = await acquirePostgres();
  checkout = mkdtempSync(join(tmpdir(), "latchkey-vercel-build-"));
  copyInstalledSources(checkout);
  for (const name of ["data", ".vercel"]) mkdirSync(join(checkout, name));
  writeFileSync(join(checkout, "data", "latchkey.db"), "a database");
  writeFileSync(join(checkout, "data", "secret"), "a secret ".repeat(8));
  const project = { projectId: "prj_local", orgId: "team_local", settings: { installCommand: "true" } };
  writeFileSync(join(checkout, ".vercel", "project.json"), JSON.stringify(project));
  browser = await chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox", "--disable-gpu"] });
  const DATABASE_URL = await createDatabase(postgres.url, `latchkey_vercel_${randomBytes(6).toString("hex")}`);
  environment = { DATABASE_URL, AUTH_SECRET, NEXTAUTH_URL: "https://keys.example", CRON_SECRET };
});
afterAll(async () => {
  await browser?.close();
  rmSync(checkout, { recursive: true, force: true });
  await postgres?.release();
});

/**
 * The newest tested version. It brings 300 packages, so it is not a dependency of ours but fetched for the test alone.
 */
const CLI = "vercel@60.1.3";

/**
 * Vercel's command-line program: the one at VERCEL_CLI, or else fetched from the registry into a folder that later runs
 * reuse.
 */
function commandLine(): string {
  if (process.env.VERCEL_CLI) return process.env.VERCEL_CLI;
  const folder = resolve("node_modules", ".cache", CLI);
  const program = join(folder, "node_modules", ".bin", "vercel");
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  execFileSync("npm", ["install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", CLI], {
    stdio: "ignore",
  });
  return program;
}

/** Builds as Vercel does, in production or for a preview. */
function build(kind: "production" | "preview", variables: Record<string, string>) {
  const target = kind === "production" ? ["--prod"] : ["--target=preview"];
  const own = { HOME: checkout, VERCEL_TELEMETRY_DISABLED: "1", VERCEL_ENV: kind };
  const ended = spawnSync(process.execPath, [commandLine(), "build", "--yes", "--standalone", ...target], {
    cwd: checkout,
    env: { PATH: process.env.PATH, NODE_ENV: "production", ...own, ...variables },
    encoding: "utf8",
  });
  return { status: ended.status, printed: ended.stdout + ended.stderr };
}

const output = () => join(checkout, ".vercel", "output");

test("a build without an address, or beside a file of settings, is refused in a sentence", () => {
  const { NEXTAUTH_URL: _, ...withoutAddress } = environment;
  const refused = build("preview", withoutAddress);
  expect(refused.status).not.toBe(0);
  expect(refused.printed).toMatch(/NEXTAUTH_URL must be set on Vercel/);
  writeFileSync(join(checkout, ".env.local"), "AUTH_SECRET=of the builder\n");
  const beside = build("preview", environment);
  rmSync(join(checkout, ".env.local"));
  expect(beside.status).not.toBe(0);
  expect(beside.printed).toMatch(/\.env\.local would be packed into every function/);
});

describe("what was built", () => {
  let vercel: Awaited<ReturnType<typeof launchVercel>>;
  beforeAll(async () => {
    const built = build("preview", environment);
    expect(built.status, built.printed).toBe(0);
    expect(built.printed).not.toMatch(/Migrated/);
    vercel = await launchVercel(output(), environment);
  });
  afterAll(() => vercel?.stop());
  const SWEEPING = { headers: { Authorization: `Bearer ${CRON_SECRET}` } };
  const ask = (path: string, asking: Asking = {}) => sendTo(vercel.url, path, asking);

  test("has nothing of the builder's folder in it", () => {
    const packed = readdirSync(join(output(), "functions"), { recursive: true, encoding: "utf8" });
    expect(
      packed.filter((path) =>
        /latchkey\.db|\/data\/|\/\.env(?!\.example)|\.func\/(?:package\.json|secret|lib|server|scripts)/.test(path),
      ),
    ).toEqual([]);
    expect(packed.length).toBeGreaterThan(100);
  });

  test("says that a database is not migrated with 503, and in the log", async () => {
    expect((await ask("/link/code")).status).toBe(503);
    expect((await ask("/ready")).status).toBe(503);
    expect((await ask("/api/sweep", SWEEPING)).status).toBe(503);
    expect(vercel.printed()).toContain("the database has not been migrated");
  });

  test("does the main job", async () => {
    await migratePostgres({ connectionString: environment.DATABASE_URL });
    const own = { PATH: process.env.PATH, NODE_ENV: "test" as const, ...environment };
    const { stdout } = await runAdmin(["user:create", "alice"], own);
    const auth = JSON.parse(stdout).token;
    expect((await ask("/me", { query: { auth } })).body).toMatchObject({ username: "alice" });
    const created = await ask("/keys/create", { query: { auth, data: "the secret", price: "1.5" } });
    expect(created.status).toBe(200);
    const key = String(created.body?.key);
    expect((await ask(`/keys/get/${key}`, { query: { auth } })).body).toMatchObject({ data: "the secret" });
    expect((await ask(`/keys/check/alice`, { query: { key } })).body).toMatchObject({ owned: true });
    expect((await ask("/keys/mine", { query: { auth } })).list).toHaveLength(1);
    expect((await ask("/read-files", { query: { auth } })).body).toMatchObject({ code: "no_files" });
    const code = expect.stringMatching(/^[A-Z]{6}$/);
    expect((await ask("/link/code", { network: "203.0.113.7" })).body).toEqual({ code });
    expect((await ask("/ready")).status).toBe(200);
    expect((await ask("/api/sweep", SWEEPING)).status).toBe(200);
    expect((await ask("/nothing")).body).toMatchObject({ code: "not_found" });
    expect((await ask("/keys/mine", { method: "OPTIONS" })).status).toBe(204);
    expect((await ask("/files/import", { method: "POST", body: "x".repeat(5_000_000) })).status).toBe(413);
  });

  test("serves its pages, with the scripts that they need", async () => {
    const context = await browser.newContext({
      baseURL: vercel.url,
      extraHTTPHeaders: { "X-Forwarded-For": "203.0.113.8" },
    });
    const page = await context.newPage();
    const answer = await page.goto("/");
    expect(await answer?.headerValue("content-security-policy")).toContain("default-src 'self'");
    await page.getByRole("button", { name: "Run it here" }).click();
    await page.getByText(/A program would now show [A-Z]{6}/).waitFor();
  });
});

test("a production build migrates its database", async () => {
  const DATABASE_URL = await createDatabase(postgres.url, `latchkey_vercel_${randomBytes(6).toString("hex")}`);
  const built = build("production", { ...environment, DATABASE_URL });
  expect(built.status, built.printed).toBe(0);
  expect(built.printed).toMatch(/Migrated: /);
});
