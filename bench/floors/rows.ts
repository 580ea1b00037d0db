// Run in its own process: node --import tsx bench/floors/rows.ts, with DATA_DIR or DATABASE_URL of a seeded database.
// The minimum that can return what Latchkey returns: bare node:http and one prepared statement. No input checks, no
// log, only the necessary headers; it gets the token's hash and need not compute it. Prints its address when it
// listens.
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import Database from "better-sqlite3";
import pg from "pg";

type Query = (
  ...values: (string | number)[]
) => Promise<Record<string, unknown> | undefined> | Record<string, unknown> | undefined;

const statements = {
  get: `SELECT u."disabledAt", k."id", c."username" AS "creator", k."name", k."data", k."price", k."createdAt",
    k."updatedAt", h."since"
        FROM "User" u JOIN "Key" k ON k."id" = $1 JOIN "User" c ON c."id" = k."creatorId"
        LEFT JOIN "Holder" h ON h."keyId" = k."id" AND h."userId" = u."id" WHERE u."tokenHash" = $2`,
  check:
    `SELECT 1 AS "held" FROM "User" u JOIN "Holder" h ON h."userId" = u."id" AND h."keyId" = $1 WHERE ` +
    `u."usernameKey" = $2`,
  update:
    `UPDATE "Key" SET "data" = $1, "dataBytes" = $2 WHERE "id" = $3 AND "creatorId" = (SELECT "id" FROM ` +
    `"User" WHERE "tokenHash" = $4) RETURNING "id", "data"`,
  code: `INSERT INTO "LinkCode" ("id", "codeHash", "status", "createdAt", "expiresAt", "network", "program")
         VALUES ($1, $2, 'pending', $3, $3, 'loopback', '') RETURNING "codeHash"`,
  poll: `SELECT "status" FROM "LinkCode" WHERE "codeHash" = $1`,
};

const postgres = process.env.DATABASE_URL;
const prepare =
  postgres === undefined ? onSqlite(join(process.env.DATA_DIR ?? "", "latchkey.db")) : onPostgres(postgres);
const queries = Object.fromEntries(Object.entries(statements).map(([name, sql]) => [name, prepare(name, sql)]));

function onSqlite(file: string): (name: string, sql: string) => Query {
  const database = new Database(file);
  database.exec(
    "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA wal_autocheckpoint=4000;",
  );
  return (_, sql) => {
    const statement = database.prepare<unknown[], Record<string, unknown>>(sql.replace(/\$(\d)/g, "?$1"));
    // Numbered parameters are bound by name.
    return (...values) => statement.get(Object.fromEntries(values.map((value, index) => [index + 1, value])));
  };
}

function onPostgres(connectionString: string): (name: string, sql: string) => Query {
  const pool = new pg.Pool({ connectionString, max: 10 });
  return (name, text) =>
    async (...values) =>
      (await pool.query({ name, text, values })).rows[0];
}

const now = () => (postgres === undefined ? Date.now() : new Date().toISOString());

async function respond(path: string, query: URLSearchParams): Promise<unknown> {
  const text = (name: string) => query.get(name) ?? "";
  const [, area, verb, id = ""] = path.split("/");
  if (area === "link") {
    if (verb === "code") return queries.code?.(randomBytes(16).toString("hex"), randomBytes(8).toString("hex"), now());
    return queries.poll?.(text("code"));
  }
  if (verb === "get") return queries.get?.(id, text("hash"));
  if (verb === "check") return { owned: (await queries.check?.(text("key"), id)) !== undefined };
  const data = text("data");
  return queries.update?.(data, data.length, id, text("hash"));
}

const server = createServer(async (request, response) => {
  const { url = "" } = request;
  const queryStart = url.indexOf("?");
  const [path, query] = queryStart < 0 ? [url, ""] : [url.slice(0, queryStart), url.slice(queryStart + 1)];
  const result = await respond(path, new URLSearchParams(query));
  const body = JSON.stringify(result ?? {});
  response.writeHead(result === undefined ? 404 : 200, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
  });
  response.end(body);
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
