import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { decodeProtectedHeader } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { checkValidator, createValidator } from "@/lib/accounts/identity/validators";
import { openSession, SESSION_SECONDS } from "@/lib/accounts/session/sessions";
import { createCode } from "@/lib/link/create";
import { OPERATOR } from "@/lib/platform/audit";
import { db } from "@/lib/platform/db/client";
import { migrateSqlite } from "@/lib/platform/db/migrate";
import { later } from "@/lib/platform/time";
import manifest from "@/package.json";
import { runAdmin, runScript } from "@/tests/support/admin";
import { ownFolder } from "@/tests/support/place";
import { answer, makeOperatorsUser, refusal } from "./command";

describe("stats", () => {
  const dayOf = (time: Date) => time.toISOString().slice(0, 10);

  test("prints the last days with what is stored, and what happened until now", async () => {
    await makeOperatorsUser();
    const before = dayOf(new Date());
    const { countedAt, days } = (await answer("stats", "--days", "3")) as {
      countedAt: string;
      days: Record<string, unknown>[];
    };
    expect(Date.now() - Date.parse(countedAt)).toBeLessThan(5 * 60_000);
    expect(days).toHaveLength(3);
    expect(days[2]).toMatchObject({ refusals: {}, asked: 0 });
    expect([before, dayOf(new Date())]).toContain(days[2]?.day);
    expect(days[2]?.users).toBeGreaterThan(0);
    expect(days.some(({ signUps }) => Number(signUps) > 0)).toBe(true);
    expect(days[0]).toMatchObject({ users: null, signUps: 0 });
  });

  test.each(["0", "31", "-1", "ten", "1.5"])("refuses %s days", async (days) => {
    expect(await refusal("stats", `--days=${days}`)).toContain("a whole number from 1 to 30");
  });
});

test("signing:rotate creates a key that signs from now on, and locks out nobody, until signing:retire", async () => {
  const user = await makeOperatorsUser();
  const [audience, issuer] = ["play.example.org", "https://keys.example.org"];
  const sign = async () => (await createValidator({ ...user, role: "user" }, { audience, issuer })).validator;
  const before = await sign();
  const { signingKey } = (await answer("signing:rotate")) as { signingKey: number };
  const [nobody, first] = [expect.stringMatching(/^Nobody who checks licences: /), signingKey - 1];
  const next = { signingKey: signingKey + 1, proofs: first, lockedOut: nobody };
  expect(await answer("signing:rotate", "--dry-run")).toEqual(next);
  expect(await answer("signing:rotate")).toEqual(next);
  const event = { action: "signing.rotate", actorId: OPERATOR, detail: JSON.stringify({ which: String(signingKey) }) };
  expect(await db.auditEvent.findMany({ where: { action: "signing.rotate" } })).toContainEqual(
    expect.objectContaining(event),
  );
  const after = await sign();
  expect(decodeProtectedHeader(after).kid).not.toBe(decodeProtectedHeader(before).kid);
  for (const validator of [before, after])
    expect(await checkValidator(validator, audience)).toMatchObject({ valid: true });
  const lockedOut = expect.stringContaining(`programs that have only key ${first}: those that were not online since`);
  const ended = { retired: first, proofs: signingKey, lockedOut };
  expect(await answer("signing:retire", String(first), "--dry-run")).toEqual(ended);
  expect(await checkValidator(before, audience)).toMatchObject({ valid: true });
  expect(await answer("signing:retire", String(first))).toEqual(ended);
  expect(await checkValidator(before, audience)).toMatchObject({ valid: false });
  for (const number of [first, signingKey + 1, 99])
    expect(await refusal("signing:retire", String(number))).toContain(
      "No former signing key has this number. There are",
    );
  expect(await refusal("signing:retire", "first")).toContain("It must be a whole number from 1");
  expect(await refusal("signing:rotate", "now")).toContain("Expected 0 arguments but got 1");
});

test("sweep deletes what has outlived its use, once, and leaves the rest", async () => {
  const { id: userId, username } = await makeOperatorsUser();
  const now = new Date();
  const [old, network] = [later(now, -31 * 86_400_000), { id: "loopback", kind: "local" } as const];
  const session = (end: Date) =>
    openSession({ id: userId }, { userAgent: "", network: "loopback", now: later(end, -SESSION_SECONDS * 1_000) });
  const kept = await session(later(now, 3_600_000));
  await session(now);
  for (const time of [old, old, now]) await createCode({ network, program: "", webPage: null }, { now: time });
  await db.fileDraft.create({ data: { id: username, userId, refreshedAt: old } });
  const swept = async () => {
    const { sealing: _, userSummaries: __, ...counts } = await answer("sweep");
    return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));
  };
  expect(await swept()).toEqual({ codes: 2, sessions: 1 });
  expect(await swept()).toEqual({});
  expect(await db.session.findMany({ where: { userId } })).toMatchObject([{ id: kept }]);
  expect(await db.fileDraft.count({ where: { userId } })).toBe(0);
  expect(await refusal("sweep", "codes")).toContain("Expected 0 arguments but got 1");
});

describe("the doctor", () => {
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
});
