import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ScratchPostgres, startPostgres } from "@/scripts/postgres";
import { unprivilegedUser } from "@/scripts/scratch-server";
import { type Ended, runAdmin, runScript } from "@/tests/support/admin";

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

const { PATH, AUTH_SECRET } = process.env;
const environment = (parameters = "", url = server.url) => ({
  PATH,
  AUTH_SECRET,
  NODE_ENV: "test" as const,
  DATABASE_URL: `${url}${parameters}`,
});
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
