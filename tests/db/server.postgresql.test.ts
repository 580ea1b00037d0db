import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, rmSync } from "node:fs";
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
  const files = ["-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate];
  execFileSync("openssl", ["req", "-x509", ...files, ...about], { stdio: "ignore" });
  chmodSync(folder, 0o755);
  chmodSync(certificate, 0o644);
  chmodSync(key, 0o600);
  const user = unprivilegedUser();
  if (user) chownSync(key, user.uid, user.gid);
  const settings = ["ssl=on", `ssl_cert_file=${certificate}`, `ssl_key_file=${key}`];
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
const environment = (parameters = "") => ({
  PATH,
  AUTH_SECRET,
  NODE_ENV: "test" as const,
  DATABASE_URL: `${server.url}${parameters}`,
});

test("a private authority's certificate is refused in one sentence that names ways out, and each works", async () => {
  const [refused, missing, trusted, unchecked] = await Promise.all(
    [
      "?sslmode=require",
      "?sslmode=require&sslrootcert=/nowhere/ca.pem",
      `?sslmode=require&sslrootcert=${certificate}`,
      "?sslmode=no-verify",
    ].map((parameters) => runScript("scripts/migrate.ts", [], environment(parameters))),
  );
  expect([refused?.status, refused?.stdout]).toEqual([1, ""]);
  expect(refused?.stderr).toMatch(/^The database at [^\n]+ \(DATABASE_URL\) shows a certificate [^\n]+\.\n$/);
  expect(refused?.stderr).toMatch(/ add sslrootcert=.+ sslmode=no-verify /);
  expect([missing?.status, missing?.stderr]).toEqual([
    1,
    expect.stringMatching(/^The file \/nowhere\/ca\.pem that DATABASE_URL names [^\n]+\.\n$/),
  ]);
  for (const one of [trusted, unchecked]) expect([one?.status, one?.stderr]).toEqual([0, ""]);
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
