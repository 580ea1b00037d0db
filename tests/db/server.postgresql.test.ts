import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrationNames } from "@/lib/platform/db/migrate";
import { type ScratchPostgres, startPostgres } from "@/scripts/postgres";
import { type ScratchServer, startPgBouncer, unprivilegedUser } from "@/scripts/scratch-server";
import { type Ended, runAdmin, runScript } from "@/tests/support/admin";
import { emptyDatabase } from "@/tests/support/databases";
import { smallDocument } from "@/tests/support/documents";
import { makeUsers } from "@/tests/support/user";

let folder: string;
let server: ScratchPostgres;
let operator: Client;
let certificate: string;

/** A server whose certificate no public authority has signed, as a company's own would be. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "latchkey-certificate-"));
  certificate = join(folder, "ca.pem");
  const key = join(folder, "key.pem");
  const about = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2"];
  const made = ["-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate];
  execFileSync("openssl", ["req", "-x509", ...made, ...about], { stdio: "ignore" });
  chmodSync(folder, 0o755);
  chmodSync(certificate, 0o644);
  chmodSync(key, 0o600);
  const user = unprivilegedUser();
  if (user) chownSync(key, user.uid, user.gid);
  // Only a user named so must come with TLS.
  const rules = join(folder, "hba.conf");
  writeFileSync(rules, "hostnossl all careful all reject\nlocal all all trust\nhost all all all trust\n", {
    mode: 0o644,
  });
  const sockets = join(folder, "sockets");
  mkdirSync(sockets);
  chmodSync(sockets, 0o777);
  const files = { ssl_cert_file: certificate, ssl_key_file: key, hba_file: rules, unix_socket_directories: sockets };
  const settings = ["ssl=on", ...Object.entries(files).map(([name, value]) => `${name}=${value}`)];
  server = await startPostgres(["fsync=off", "synchronous_commit=on", ...settings]);
  operator = new Client(server.url);
  await operator.connect();
});
afterAll(async () => {
  await operator?.end();
  await server?.stop();
  rmSync(folder, { recursive: true });
});

const { PATH, DATA_DIR, AUTH_SECRET, DATABASE_URL = "" } = process.env;
const own = { PATH, DATA_DIR, AUTH_SECRET, NODE_ENV: "test" as const };
const environment = (parameters = "", url = server.url) => ({ ...own, DATABASE_URL: `${url}${parameters}` });
const migrate = (parameters: string, url = server.url) =>
  runScript("scripts/migrate.ts", [], environment(parameters, url));

test("a private authority's certificate is refused in one sentence that names ways out, and each works", async () => {
  const [refused, missing, trusted, unchecked] = await Promise.all(
    [
      "?sslmode=require",
      "?sslmode=require&sslrootcert=/nowhere/ca.pem",
      `?sslmode=require&sslrootcert=${certificate}`,
      "?sslmode=no-verify",
    ].map((parameters) => migrate(parameters)),
  );
  expect([refused?.status, refused?.stdout]).toEqual([1, ""]);
  expect(refused?.stderr).toMatch(/^The database at [^\n]+ \(DATABASE_URL\) uses a certificate [^\n]+\.\n$/);
  expect(refused?.stderr).toMatch(/ add sslrootcert=.+ sslmode=no-verify /);
  expect([missing?.status, missing?.stderr]).toEqual([
    1,
    expect.stringMatching(/^The file \/nowhere\/ca\.pem that DATABASE_URL names [^\n]+\.\n$/),
  ]);
  for (const one of [trusted, unchecked]) expect([one?.status, one?.stderr]).toEqual([0, ""]);
});

test("verify-ca asks for the authority alone, and verify-full for the name, too", async () => {
  const url = server.url.replace("127.0.0.1", "localhost");
  const modes = ["verify-ca", "verify-full"].map((mode) => migrate(`?sslmode=${mode}&sslrootcert=${certificate}`, url));
  const [authority, name] = await Promise.all(modes);
  expect([authority?.status, authority?.stderr]).toEqual([0, ""]);
  expect([name?.status, name?.stderr]).toEqual([1, expect.stringContaining("ERR_TLS_CERT_ALTNAME_INVALID")]);
});

test("a user who must come with TLS is told of it, and comes with it", async () => {
  await operator.query("CREATE ROLE careful LOGIN SUPERUSER");
  const url = server.url.replace("//latchkey@", "//careful@");
  const refused = await migrate("", url);
  expect([refused.status, refused.stdout]).toEqual([1, ""]);
  expect(refused.stderr).toMatch(
    /^The database at \S+ \(DATABASE_URL\) does not accept this connection [^\n]+verify-full[^\n]+\n$/,
  );
  expect(await migrate(`?sslmode=verify-full&sslrootcert=${certificate}`, url)).toMatchObject({
    status: 0,
    stderr: "",
  });
});

test("libpq's address of a socket leads there", async () => {
  const port = new URL(server.url).port;
  const url = `postgresql://latchkey@/postgres?host=${encodeURIComponent(join(folder, "sockets"))}&port=${port}`;
  expect(await migrate("", url)).toMatchObject({ status: 0, stderr: "" });
  const away = await migrate("", url.replace("sockets", "nowhere").replace("&port", "&connect_timeout=1&port"));
  expect(away.stderr).toContain(`${join(folder, "nowhere")}:${port} (DATABASE_URL)`);
});

test("a commit that waits for a standby is waited for as long as DATABASE_TIMEOUT_SECONDS says", async () => {
  const waitFor = async (standby: string) => {
    await operator.query(`ALTER SYSTEM SET synchronous_standby_names = '${standby}'`);
    await operator.query("SELECT pg_reload_conf()");
  };
  const waiting = async () =>
    (await operator.query("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'")).rowCount;
  const create = (name: string, DATABASE_TIMEOUT_SECONDS: string) =>
    runAdmin(["user:create", name], { ...environment(), DATABASE_TIMEOUT_SECONDS });
  await waitFor("away");
  let patient: Ended | undefined;
  const waits = create("patient", "3000").then((ended) => {
    patient = ended;
  });
  await expect.poll(waiting, { timeout: 60_000 }).toBe(1);
  expect(await create("impatient", "1")).toEqual({
    status: 1,
    stdout: "",
    stderr: expect.stringContaining("does not respond (ETIMEDOUT)"),
  });
  await sleep(100);
  expect(patient).toBeUndefined();
  await waitFor("");
  await waits;
  expect(patient).toMatchObject({ status: 0, stderr: "" });
});

let pooler: ScratchServer;
beforeAll(async () => {
  pooler = await startPgBouncer(DATABASE_URL, 2);
});
afterAll(() => pooler?.stop());

/** The same database through the pooler. */
function pooled(address = ""): string {
  const url = new URL(address);
  url.port = new URL(pooler.url).port;
  return url.href;
}

async function ask(sent: string[], more: { DATABASE_URL: string; DATABASE_POOLER?: string }) {
  const { stdout, stderr } = await runScript("tests/support/ask-many.ts", sent, { ...own, ...more });
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

// Each process comes to the same statements in another order, so what one prepared under a name another one would run.
test("processes that share two connections of a pooler get their own rows, whatever they send", async () => {
  const names = (await makeUsers(4)).map(({ username }) => username);
  const through = { DATABASE_URL: pooled(DATABASE_URL) };
  const answers = await Promise.all([ask(names, through), ask(names.toReversed(), through)]);
  expect(answers).toEqual(Array(2).fill({ right: 400, wrong: 0, refused: [], named: 0 }));
});

test("without a pooler statements are prepared; DATABASE_POOLER says which, without looking", async () => {
  const names = (await makeUsers(1)).map(({ username }) => username);
  const said = ["true", "false"].map((DATABASE_POOLER) => ask(names, { DATABASE_URL, DATABASE_POOLER }));
  const answers = await Promise.all([ask(names, { DATABASE_URL }), ...said]);
  for (const answer of answers) expect(answer).toMatchObject({ right: 400, wrong: 0, refused: [] });
  expect(answers.map(({ named }) => named > 2)).toEqual([true, false, true]);
  expect(answers[1].named).toBe(0);
});

test("starts at once through a pooler succeed and leave no lock; backups are made and restored", async () => {
  const [from, into] = [await emptyDatabase(), await emptyDatabase()];
  const through = { ...own, DATABASE_URL: pooled(from.DATABASE_URL) };
  const starts = await Promise.all([1, 2].map(() => runScript("scripts/migrate.ts", [], through)));
  expect(starts.map(({ stderr }) => stderr)).toEqual(["", ""]);
  expect(starts.map(({ stdout }) => stdout.slice(0, 9)).sort()).toEqual(["Migrated:", "The datab"]);
  const client = new Client(from.DATABASE_URL);
  await client.connect();
  const locks = await client.query(
    "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database " +
      "WHERE datname = current_database())",
  );
  const { rows } = await client.query(
    'SELECT "migration_name" FROM "_prisma_migrations" WHERE "finished_at" IS NOT NULL ORDER BY 1',
  );
  await client.end();
  expect([locks.rowCount, rows.map((row) => row.migration_name)]).toEqual([0, migrationNames("postgresql")]);

  const file = `${DATA_DIR}/pooled.backup`;
  const alice = (task: object, variables: NodeJS.ProcessEnv) =>
    runScript("tests/support/account-elsewhere.ts", [JSON.stringify({ username: "alice", ...task })], variables);
  const make = { data: "a secret", document: JSON.stringify(smallDocument("alice")) };
  const made = await alice({ make, backup: file }, through);
  const elsewhere = { ...own, ...into, DATABASE_URL: pooled(into.DATABASE_URL) };
  const looked = await alice({ commands: [["restore", file]] }, elsewhere);
  expect([made.stderr, looked.stderr]).toEqual(["", ""]);
  expect(looked.stdout.split("\n")[1]).toBe(made.stdout.trim());
});

test("migrations go past the pooler where DIRECT_DATABASE_URL says how", async () => {
  const { DATABASE_URL: DIRECT_DATABASE_URL } = await emptyDatabase();
  // This one has every migration; the empty one gets them.
  const through = { ...own, DATABASE_URL: pooled(DATABASE_URL), DIRECT_DATABASE_URL };
  const { status, stdout, stderr } = await runScript("scripts/migrate.ts", [], through);
  expect([status, stdout.slice(0, 9), stderr]).toEqual([0, "Migrated:", ""]);
});
