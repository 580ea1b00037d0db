import { expect, inject, onTestFinished, test } from "vitest";
import { parseEnvironment } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";
import { addressesIn } from "@/lib/platform/postgres-address";
import { dropDatabase } from "@/scripts/postgres";
import { startPgBouncer } from "@/scripts/scratch-server";
import { runScript } from "@/tests/support/admin";
import { tellPostgres } from "@/tests/support/databases";
import { smallDocument } from "@/tests/support/documents";

/** Where each leads, as `host:port`. */
const hostsIn = (address: string) =>
  addressesIn(address).map((one) => {
    const { hostname, port, searchParams } = new URL(one);
    return `${searchParams.get("host") || decodeURIComponent(hostname)}:${searchParams.get("port") || port}`;
  });

const SEVERAL: [string, string[]][] = [
  ["postgresql://u:p@db1,db2:5433/keys", ["db1:", "db2:5433"]],
  ["postgresql://u:p@/keys?host=db1,db2&port=5432,5433", ["db1:5432", "db2:5433"]],
  ["postgresql://u:p@/keys?host=db1,db2&port=5433", ["db1:5433", "db2:5433"]],
  ["postgresql:///keys?host=db1,db2&sslmode=disable", ["db1:", "db2:"]],
  ["postgresql://u@db1,db2/keys?port=5432,5433", ["db1:5432", "db2:5433"]],
  ["postgresql://u@elsewhere/keys?host=db1,db2", ["db1:", "db2:"]],
  ["postgresql://u@/keys?host=/run/postgresql,/tmp", ["/run/postgresql:", "/tmp:"]],
  ["postgresql://u@/keys?host=/run/postgresql", ["/run/postgresql:"]],
  ["postgresql://u@%2Frun%2Fpostgresql/keys", ["/run/postgresql:"]],
];
test.for(SEVERAL)("%s leads where libpq goes", ([address, hosts]) => {
  const { DATABASE_URL } = parseEnvironment({ DATABASE_URL: address });
  expect(hostsIn(String(DATABASE_URL))).toEqual(hosts);
  for (const one of addressesIn(String(DATABASE_URL))) expect(new URL(one).pathname).toBe("/keys");
});

const WRONG: [string, RegExp][] = [
  ["postgresql://u@db1,%zz/db", /percent-encoded/],
  ["postgresql:///db?host=db1,db2&port=1,2,3", /one port, or one for each host/],
  ["postgresql://u@db1,db2/db?port=5432,many", /one port, or one for each host/],
  ["postgresql://u@h/db?port=65536", /one port, or one for each host/],
  ...["any", "read-only", "standby", "prefer-standby", "Primary", ""].map((value): [string, RegExp] => [
    `postgresql://u@db1,db2/db?target_session_attrs=${value}`,
    new RegExp(`target_session_attrs=${value}[:,] `),
  ]),
];
test.for(WRONG)("%s is refused in one sentence", ([DATABASE_URL, why]) => {
  const refused = () => parseEnvironment({ DATABASE_URL });
  expect(refused).toThrow(/^The environment variable DATABASE_URL is not valid: must [^\n]+\.$/);
  expect(refused).toThrow(why);
});

test.for(["read-write", "primary"])("target_session_attrs=%s is what is done anyway", (value) => {
  const DATABASE_URL = `postgresql://u@db1,db2/db?target_session_attrs=${value}`;
  expect(parseEnvironment({ DATABASE_URL }).DATABASE_URL).toBe(DATABASE_URL);
});

const { PATH, DATA_DIR, AUTH_SECRET } = process.env;
const environment = { PATH, DATA_DIR, AUTH_SECRET, NODE_ENV: "test" as const, NEXTAUTH_URL: "http://localhost:3000" };

interface Setting {
  /** Statements of the server's operator in the new database; `own` is its name and that of its role. */
  operator?: (own: string) => string[];
  encoding?: string;
  parameters?: (own: string) => string;
  /** The schema of our tables. */
  schema?: (own: string) => string;
}

/** A database with these settings, which belongs to a role of its own. */
async function databaseWith({ operator = () => [], encoding = "UTF8", parameters = () => "" }: Setting) {
  const database = inject("database");
  if (database.kind === "sqlite") throw new Error("This test is for PostgreSQL.");
  const own = `latchkey_test_${newId().slice(0, 12)}`;
  await tellPostgres(
    database.server,
    `CREATE ROLE ${own} LOGIN`,
    `CREATE DATABASE ${own} OWNER ${own} TEMPLATE template0 ENCODING '${encoding}' LC_COLLATE 'C' LC_CTYPE 'C'`,
  );
  onTestFinished(async () => {
    await dropDatabase(database.server, own);
    await tellPostgres(database.server, `DROP ROLE ${own}`);
  });
  const asOperator = new URL(database.server);
  asOperator.pathname = `/${own}`;
  await tellPostgres(asOperator.href, ...operator(own));
  const url = new URL(asOperator.href);
  url.username = own;
  return { own, asOperator: asOperator.href, url: `${url.href}${parameters(own)}` };
}

/** What a user has there who was made there, by way of Prisma and of our own statements. */
async function fill(DATABASE_URL: string) {
  const document = JSON.stringify(smallDocument("alice"));
  const task = { username: "alice", make: { data: "a secret \u{1F511}", document } };
  const made = await runScript("tests/support/account-elsewhere.ts", [JSON.stringify(task)], {
    ...environment,
    DATABASE_URL,
  });
  const asked = await runScript("tests/support/ask-many.ts", ["alice"], { ...environment, DATABASE_URL });
  expect([made.stderr, asked.stderr]).toEqual(["", ""]);
  expect(JSON.parse(asked.stdout)).toMatchObject({ right: 400, wrong: 0, refused: [] });
  expect(JSON.parse(made.stdout)).toMatchObject({ keys: ["a secret \u{1F511}"], problems: [] });
}

/** The schemas that have tables. */
const schemasAt = async (url: string) =>
  (
    await tellPostgres<{ schemaname: string }>(
      url,
      "SELECT DISTINCT schemaname FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')",
    )
  ).map(({ schemaname }) => schemaname);
const set = (what: string) => (own: string) => [`ALTER DATABASE ${own} SET ${what}`];
const named = (own: string) => own;
const WORKING: Record<string, Setting> = {
  "serializable transactions": { operator: set("default_transaction_isolation TO 'serializable'") },
  "German times, bytes as escapes, backslashes in literals": {
    operator: (own) =>
      ["datestyle TO 'German'", "bytea_output TO 'escape'", "standard_conforming_strings TO off"].flatMap((what) =>
        set(what)(own),
      ),
  },
  "a schema of the role's own": {
    operator: (own) => [`CREATE SCHEMA AUTHORIZATION ${own}`],
    schema: named,
  },
  "no schema at all": { operator: set("search_path TO ''") },
  "a schema in the address, which is created": { parameters: () => "?schema=Some%20keys", schema: () => "Some keys" },
  "a path of schemas in options": {
    operator: (own) => [`CREATE SCHEMA first AUTHORIZATION ${own}`, "CREATE SCHEMA second"],
    parameters: () => "?options=-c%20search_path%3Dmissing,first,second",
    schema: () => "first",
  },
};
test.for(Object.entries(WORKING))("works with %s", async ([, setting]) => {
  const { own, asOperator, url } = await databaseWith(setting);
  await fill(url);
  expect(await schemasAt(asOperator)).toEqual([setting.schema?.(own) ?? "public"]);
});

test("tables in public stay in use once the role has a schema of its own", async () => {
  const { own, asOperator, url } = await databaseWith({});
  await fill(url);
  await tellPostgres(asOperator, `CREATE SCHEMA AUTHORIZATION ${own}`);
  const looked = await runScript("tests/support/account-elsewhere.ts", [JSON.stringify({ username: "alice" })], {
    ...environment,
    DATABASE_URL: url,
  });
  expect([looked.stderr, JSON.parse(looked.stdout).problems]).toEqual(["", []]);
  expect(await schemasAt(asOperator)).toEqual(["public"]);
});

const migrate = (DATABASE_URL: string) => runScript("scripts/migrate.ts", [], { ...environment, DATABASE_URL });

test.for(["LATIN1", "SQL_ASCII"])("the encoding %s is refused by name before anything is stored", async (encoding) => {
  const { asOperator, url } = await databaseWith({ encoding });
  expect(await migrate(url)).toEqual({
    status: 1,
    stdout: "",
    stderr: expect.stringMatching(new RegExp(`^The database at [^\\n]+ has the encoding ${encoding}, [^\\n]+\\.\\n$`)),
  });
  expect(await schemasAt(asOperator)).toEqual([]);
});

const POOLED: [string, Setting, RegExp | undefined][] = [
  ["serializable", { operator: set("default_transaction_isolation TO 'serializable'") }, /SET default_transaction_iso/],
  ["a schema that it does not lead to", { parameters: () => "?schema=elsewhere" }, /SET search_path TO "elsewhere"/],
  ["German times", { operator: set("datestyle TO 'German'") }, undefined],
];
test.for(POOLED)("through a pooler, %s works or is refused with what to change", async ([, setting, refusal]) => {
  const { url } = await databaseWith(setting);
  const pooler = await startPgBouncer(url, 2);
  onTestFinished(() => pooler.stop());
  const through = new URL(url);
  through.port = new URL(pooler.url).port;
  if (!refusal) return fill(through.href);
  const { status, stderr } = await migrate(through.href);
  expect([status, stderr]).toEqual([1, expect.stringMatching(refusal)]);
});
