import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import Database from "better-sqlite3";
import { Client } from "pg";
import { expect, inject, test } from "vitest";
import manifest from "@/package.json";
import { postgresBinaries } from "@/scripts/postgres";
import { runScript } from "@/tests/support/admin";
import { emptyDatabase } from "@/tests/support/databases";
import { smallDocument } from "@/tests/support/documents";

/**
 * A database of every version that there was, with a user who has a key and files. Where that of this version is
 * missing, this file writes it, to be committed with the release; in CI, it fails.
 */

const { kind } = inject("database");
const KEPT = "tests/db/versions";
const fileOf = (version: string) => join(KEPT, `${version}.${kind}.gz`);
const versions = new Set([manifest.version, ...readdirSync(KEPT).map((name) => name.replace(/\.[a-z]+\.gz$/, ""))]);

/** Seals nothing but these databases. */
const AUTH_SECRET = "of-the-databases-that-tests-keep-".repeat(2);
const [username, data] = ["alice", "a secret \u{1F511}"];
const document = JSON.stringify(smallDocument(username));

type Where = { DATA_DIR: string; DATABASE_URL?: string };

/** What the user has there, once it was swept, as a service does when it has started. */
async function read(where: Where, make?: { data: string; document: string }) {
  const variables = {
    AUTH_SECRET,
    NEXTAUTH_URL: "http://localhost:3000",
    LOG_LEVEL: "info",
    ...where,
    DATABASE_URL: where.DATABASE_URL ?? "",
  };
  const task = [JSON.stringify({ username, make, commands: make ? [] : [["sweep"]] })];
  const ended = await runScript("tests/support/account-elsewhere.ts", task, { ...process.env, ...variables });
  expect(ended.stderr).toBe("");
  return JSON.parse(ended.stdout.trim().split("\n").at(-1) ?? "");
}

/** The bytes that `load` loads. */
function bytesOf({ DATA_DIR, DATABASE_URL }: Where): Buffer {
  if (DATABASE_URL) {
    const how = ["--no-owner", "--no-privileges", "--inserts", DATABASE_URL];
    const dump = execFileSync(join(postgresBinaries() ?? "", "pg_dump"), how, { encoding: "utf8" });
    // Commands of psql.
    return Buffer.from(dump.replace(/^\\.*\n/gm, ""));
  }
  const database = new Database(join(DATA_DIR, "latchkey.db"));
  database.exec(`VACUUM INTO '${join(DATA_DIR, "copy.db")}'`);
  database.close();
  return readFileSync(join(DATA_DIR, "copy.db"));
}

async function load(bytes: Buffer): Promise<Where> {
  const where = await emptyDatabase();
  if (where.DATABASE_URL) {
    const client = new Client(where.DATABASE_URL);
    await client.connect();
    await client.query(bytes.toString()).finally(() => client.end());
  } else {
    mkdirSync(where.DATA_DIR, { recursive: true });
    writeFileSync(join(where.DATA_DIR, "latchkey.db"), bytes, { mode: 0o600 });
  }
  return where;
}

test("the database of this version is kept", async () => {
  const file = fileOf(manifest.version);
  if (!existsSync(file) && !process.env.CI) {
    const made = await emptyDatabase();
    await read(made, { data, document });
    writeFileSync(file, gzipSync(bytesOf(made), { level: 9 }));
  }
  expect(existsSync(file), `${file} is missing: run this test where CI is not set`).toBe(true);
});

test.each([...versions])("a database of %s is upgraded, with everything in it", async (version) => {
  const before = await load(gunzipSync(readFileSync(fileOf(version))));
  const has = await read(before);
  expect(has).toEqual({
    token: expect.stringMatching(/^lk_/),
    keys: [data],
    files: document,
    problems: [],
    signing: [expect.objectContaining({ crv: "Ed25519" })],
  });
});
