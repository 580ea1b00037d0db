import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ScratchPostgres, startPostgres } from "@/scripts/postgres";
import { unprivilegedUser } from "@/scripts/scratch-server";
import { runScript } from "@/tests/support/admin";

let folder: string;
let server: ScratchPostgres;
let certificate: string;

/** A server whose certificate no public authority has signed, as a company's own would be. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "latchkey-certificate-"));
  certificate = join(folder, "ca.pem");
  const key = join(folder, "key.pem");
  const about = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2"];
  execFileSync(
    "openssl",
    ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, ...about],
    { stdio: "ignore" },
  );
  chmodSync(folder, 0o755);
  chmodSync(certificate, 0o644);
  chmodSync(key, 0o600);
  const user = unprivilegedUser();
  if (user) chownSync(key, user.uid, user.gid);
  server = await startPostgres(["fsync=off", "ssl=on", `ssl_cert_file=${certificate}`, `ssl_key_file=${key}`]);
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true });
});

const start = (parameters: string) =>
  runScript("scripts/migrate.ts", [], {
    PATH: process.env.PATH,
    AUTH_SECRET: process.env.AUTH_SECRET,
    NODE_ENV: "test",
    DATABASE_URL: `${server.url}?${parameters}`,
  });

test("a private authority's certificate is refused in one sentence that names ways out, and each works", async () => {
  const [refused, missing, trusted, unchecked] = await Promise.all([
    start("sslmode=require"),
    start("sslmode=require&sslrootcert=/nowhere/ca.pem"),
    start(`sslmode=require&sslrootcert=${certificate}`),
    start("sslmode=no-verify"),
  ]);
  expect([refused.status, refused.stdout]).toEqual([1, ""]);
  expect(refused.stderr).toMatch(/^The database at [^\n]+ \(DATABASE_URL\) shows a certificate [^\n]+\.\n$/);
  expect(refused.stderr).toMatch(/ add sslrootcert=.+ sslmode=no-verify /);
  expect([missing.status, missing.stderr]).toEqual([
    1,
    expect.stringMatching(/^The file \/nowhere\/ca\.pem that DATABASE_URL names [^\n]+\.\n$/),
  ]);
  for (const { status, stderr } of [trusted, unchecked]) expect([status, stderr]).toEqual([0, ""]);
});
