import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { beforeAll, expect, test } from "vitest";
import { migrateSqlite } from "@/lib/platform/db/migrate";
import manifest from "@/package.json";
import { runAdmin, runScript } from "@/tests/support/admin";
import { ownFolder } from "@/tests/support/place";

const folder = ownFolder("doctor");
const made = join(folder, "made");
beforeAll(async () => {
  expect(await runScript("scripts/migrate.ts", [], environment({ DATA_DIR: made }))).toMatchObject({ status: 0 });
  expect(await runAdmin(["user:create", "alice"], environment({ DATA_DIR: made }))).toMatchObject({ status: 0 });
});

const environment = (set: Record<string, string>) => ({
  ...{ PATH: process.env.PATH, NODE_ENV: "production" as const, HOME: folder, LOG_LEVEL: "warn" },
  ...set,
});

async function problemsWith(set: Record<string, string>): Promise<string[]> {
  const { status, stdout, stderr } = await runAdmin(["doctor"], environment({ DATA_DIR: made, ...set }));
  if (stdout === "") return [stderr.trim()];
  const { ok, version, problems } = JSON.parse(stdout);
  expect([status, ok]).toEqual(problems.length > 0 ? [1, false] : [0, true]);
  expect(version).toBe(manifest.version);
  for (const { advice } of problems) expect(advice).not.toBe("");
  return problems.map(({ problem }: { problem: string }) => problem);
}

test("finds nothing wrong with a service that is well", async () => {
  expect(await problemsWith({ NEXTAUTH_URL: "http://localhost:3000" })).toEqual([]);
});

test.each<[string, Record<string, string>, RegExp]>([
  ["several processes on the embedded database", { WEB_CONCURRENCY: "4" }, /WEB_CONCURRENCY/],
  ["a setting of an earlier version", { REDIS_URL: "redis://127.0.0.1" }, /REDIS_URL is no longer read/],
  ["http on a public host", { NEXTAUTH_URL: "http://keys.example.org" }, /NEXTAUTH_URL is http/],
  ["a letter that is missing", { TRUSTED_PROXY: "1" }, /TRUSTED_PROXY is set, but nothing reads it/],
  ["letters exchanged", { ALLOW_SINGUP: "false" }, /ALLOW_SINGUP is set, but nothing reads it/],
  ["another name for it", { SMTP_URI: "smtp://localhost" }, /SMTP_URI is set, but nothing reads it/],
  ["another secret", { AUTH_SECRET: "x".repeat(40) }, /AUTH_SECRET is not the secret that this database uses/],
])("names %s", async (_, set, problem) => {
  const problems = await problemsWith(set);
  expect(
    problems.filter((one) => problem.test(one)),
    problems.join("\n"),
  ).toHaveLength(1);
});

test("says which version migrated the database last, and that this one cannot use it", async () => {
  const newer = join(folder, "newer");
  mkdirSync(newer);
  await migrateSqlite(join(newer, "latchkey.db"));
  const migratedBy = async () =>
    JSON.parse((await runAdmin(["doctor"], environment({ DATA_DIR: newer }))).stdout).migratedBy;
  expect(await migratedBy()).toBe(manifest.version);
  const database = new Database(join(newer, "latchkey.db"));
  database.exec(`UPDATE "_prisma_migrations" SET "logs" = NULL`);
  expect(await migratedBy()).toBe("a version before 1.0.0");
  database.exec(`INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "finished_at", "logs")
    VALUES ('newer', '', '99991231000000_newer', 0, '9.8.7')`);
  expect(await migratedBy()).toBe("9.8.7");
  expect(await problemsWith({ DATA_DIR: newer })).toContain(
    `The database was migrated by Latchkey 9.8.7 (99991231000000_newer), and this is the older ${manifest.version}.`,
  );
  database.exec(`UPDATE "_prisma_migrations" SET "finished_at" = NULL WHERE "id" = 'newer'`);
  database.close();
  expect(await problemsWith({ DATA_DIR: newer })).toContain(
    "The migration 99991231000000_newer was interrupted and left the database in a partial state.",
  );
});

test("leaves the variables of others alone", async () => {
  const others = [
    "POSTGRES_URL",
    "NODE_OPTIONS",
    "PORT_RANGE",
    "HOSTNAME",
    "HOSTTYPE",
    "LOGNAME",
    "DATABASE",
    "SMTP_HOST",
  ];
  expect(await problemsWith(Object.fromEntries(others.map((name) => [name, ""])))).toEqual([]);
});

test("names a missing secret as missing", async () => {
  const away = join(folder, "away");
  expect(await runScript("scripts/migrate.ts", [], environment({ DATA_DIR: away }))).toMatchObject({ status: 0 });
  expect(await runAdmin(["user:create", "bob"], environment({ DATA_DIR: away }))).toMatchObject({ status: 0 });
  rmSync(join(away, "secret"));
  expect(await problemsWith({ DATA_DIR: away })).toEqual([expect.stringMatching(/secret.* is missing/)]);
});

test("makes no data folder where there is none, and says so", async () => {
  const mistyped = join(folder, "mistyped");
  expect(await problemsWith({ DATA_DIR: mistyped })).toEqual([
    `There is no database in ${join(mistyped, "latchkey.db")}.`,
  ]);
  expect(existsSync(mistyped)).toBe(false);
});

test("a data folder that is a file, and a database without tables, are named", async () => {
  const [file, empty] = [join(folder, "file"), join(folder, "empty")];
  writeFileSync(file, "");
  mkdirSync(empty, { mode: 0o700 });
  writeFileSync(join(empty, "latchkey.db"), "", { mode: 0o600 });
  expect(await problemsWith({ DATA_DIR: file })).toEqual([expect.stringContaining(`${file} (DATA_DIR) is a file`)]);
  expect(await problemsWith({ DATA_DIR: empty })).toEqual([expect.stringMatching(/The database lacks/)]);
});
