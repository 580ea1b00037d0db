// better-auth with its API-key and device-authorization plugins, on node:http. Prints its address when it listens.
// Argument: how many API keys are created.
// Environment: DATABASE (a SQLite file, or postgresql://…), KEYS_FILE (the output file for the created keys, as JSON).
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { apiKey } from "@better-auth/api-key";
import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { toNodeHandler } from "better-auth/node";
import { deviceAuthorization } from "better-auth/plugins";
import Database from "better-sqlite3";
import pg from "pg";

const [count] = process.argv.slice(2);
const { DATABASE = "", KEYS_FILE = "" } = process.env;

function open() {
  if (DATABASE.startsWith("postgres")) return new pg.Pool({ connectionString: DATABASE, max: 10 });
  const database = new Database(DATABASE);
  database.exec(
    "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA wal_autocheckpoint=4000;",
  );
  return database;
}

const server = createServer();
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
const url = `http://127.0.0.1:${server.address().port}`;

const auth = betterAuth({
  database: open(),
  baseURL: url,
  secret: "a secret for the time of a benchmark only",
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  logger: { disabled: true },
  plugins: [
    apiKey({ rateLimit: { enabled: false } }),
    deviceAuthorization({
      verificationUri: `${url}/link`,
      interval: "0s",
      expiresIn: "1h",
      validateClient: () => true,
    }),
  ],
});
await (await getMigrations(auth.options)).runMigrations();

const { user } = await auth.api.signUpEmail({
  body: { email: "alice@example.org", password: "correct horse battery", name: "alice" },
});
const keys = [];
for (let n = 0; n < Number(count); n++) {
  const { id, key } = await auth.api.createApiKey({ body: { name: `key ${n}`, userId: user.id } });
  keys.push({ id, key });
}
writeFileSync(KEYS_FILE, JSON.stringify(keys));

const json = (response, status, body) =>
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
const handle = toNodeHandler(auth);

server.on("request", async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, url);
  if (pathname === "/verify") {
    const { valid } = await auth.api.verifyApiKey({ body: { key: searchParams.get("key") } });
    return json(response, valid ? 200 : 401, { valid });
  }
  if (pathname === "/update") {
    const { id, name } = await auth.api.updateApiKey({
      body: { keyId: searchParams.get("id"), userId: user.id, name: searchParams.get("name") },
    });
    return json(response, 200, { id, name });
  }
  return handle(request, response);
});
console.log(url);
