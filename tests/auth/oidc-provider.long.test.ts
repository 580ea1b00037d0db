import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findBrowser } from "@/scripts/install";
import { freePort } from "@/scripts/scratch-server";
import { doctorOf } from "@/tests/support/admin";
import { ownFolder } from "@/tests/support/place";
import { type RunningService, startService } from "@/tests/support/service";

/** A real provider that signs with ES256, behind a private authority and a forward proxy. Needs tinyproxy, openssl. */

const PROVIDER = "oidc-provider@9.13.3";
const SECRET = "a secret of the provider's, long enough for its rules";

const folder = ownFolder("oidc");
const [ca, certificate, key] = ["ca.pem", "certificate.pem", "key.pem"].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
const children: ChildProcess[] = [];
let issuer: string;
let service: RunningService;
let proxyLog: string;

function makeCertificates(): void {
  const openssl = (...parameters: string[]) => execFileSync("openssl", parameters, { stdio: "ignore", cwd: folder });
  const make = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
  openssl("req", "-x509", ...make, "-keyout", "ca.key", "-out", ca, "-subj", "/CN=A private authority");
  openssl("req", ...make, "-keyout", key, "-out", "request.pem", "-subj", "/CN=localhost");
  writeFileSync(join(folder, "names"), "subjectAltName=DNS:localhost");
  openssl(
    ...["x509", "-req", "-in", "request.pem", "-CA", ca, "-CAkey", "ca.key", "-CAcreateserial", "-days", "2"],
    ...["-extfile", "names", "-out", certificate],
  );
}

const providerProgram = (port: number, redirect: string) => `
import { createServer } from "node:https";
import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import Provider from "oidc-provider";
const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const provider = new Provider("https://localhost:${port}", {
  clients: [{
    client_id: "latchkey", client_secret: ${JSON.stringify(SECRET)}, redirect_uris: [${JSON.stringify(redirect)}],
    id_token_signed_response_alg: "ES256", application_type: "native",
    token_endpoint_auth_method: "client_secret_basic",
  }],
  jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), alg: "ES256", use: "sig", kid: "1" }] },
  cookies: { keys: ["a", "b"] },
});
const files = { key: readFileSync(${JSON.stringify(key)}), cert: readFileSync(${JSON.stringify(certificate)}) };
createServer(files, provider.callback())
  .listen(${port}, "127.0.0.1", () => console.log("listening"));
`;

beforeAll(async () => {
  chmodSync(folder, 0o755);
  makeCertificates();
  execFileSync("npm", ["install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", PROVIDER], {
    stdio: "ignore",
  });
  const [port, proxyPort] = [await freePort(), await freePort()];
  issuer = `https://localhost:${port}`;
  proxyLog = join(folder, "proxy.log");
  const config = `Port ${proxyPort}\nListen 127.0.0.1\nTimeout 600\nLogFile "${proxyLog}"\nLogLevel Connect\n`;
  writeFileSync(join(folder, "proxy.conf"), config);
  children.push(spawn("tinyproxy", ["-d", "-c", join(folder, "proxy.conf")], { stdio: "ignore" }));
  service = await startService(
    { lane: "direct", database: "sqlite", name: "localhost" },
    {
      ...{ OIDC_ISSUER: issuer, OIDC_ID: "latchkey", OIDC_SECRET: SECRET, OIDC_NAME: "A provider" },
      ...{ HTTPS_PROXY: `http://127.0.0.1:${proxyPort}`, NODE_EXTRA_CA_CERTS: ca },
    },
  );
  const program = join(folder, "provider.mjs");
  writeFileSync(program, providerProgram(port, `${service.url}/api/auth/callback/oidc`));
  const provider = spawn(process.execPath, [program], { stdio: ["ignore", "pipe", "ignore"], cwd: folder });
  children.push(provider);
  await once(provider.stdout, "data");
});
afterAll(async () => {
  await service?.stop();
  for (const child of children) child.kill();
});

test("a person signs in, though the issuer is reached through a proxy only, and its authority is private", async () => {
  const browser = await chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox", "--disable-gpu"] });
  try {
    const page = await (await browser.newContext({ ignoreHTTPSErrors: true })).newPage();
    await page.goto(`${service.url}/signin`);
    await page.getByRole("button", { name: "Continue with A provider" }).click();
    await page.getByPlaceholder("Enter any login").fill("alice");
    await page.getByPlaceholder("and password").fill("anything");
    await page.getByRole("button", { name: "Sign-in" }).click();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("heading", { name: "Choose a username" }).waitFor();
  } finally {
    await browser.close();
  }
  expect(readFileSync(proxyLog, "utf8")).toContain(`CONNECT localhost:${new URL(issuer).port}`);
});

test("the doctor says why the issuer cannot be used: its authority, its name, the proxy, the address", async () => {
  const doctor = async (variables: Record<string, string>) => {
    const provider = { OIDC_ISSUER: issuer, OIDC_ID: "latchkey", OIDC_SECRET: SECRET, NODE_EXTRA_CA_CERTS: ca };
    const problems = await doctorOf("sign-in", { ...service.storage, ...provider, ...variables });
    return problems.map(({ problem }) => problem);
  };
  expect(await doctor({})).toEqual([]);
  const address = "The issuer in OIDC_ISSUER";
  for (const [variables, problem] of [
    [{ NODE_EXTRA_CA_CERTS: "" }, `${address} has a certificate that no known authority has signed (`],
    [{ OIDC_ISSUER: "https://issuer.invalid" }, `${address} is not found (E`],
    [{ HTTPS_PROXY: `http://127.0.0.1:${await freePort()}` }, `${address} cannot be reached (ECONNREFUSED`],
    [{ OIDC_ISSUER: `${issuer}/elsewhere` }, "The address of OIDC_ISSUER does not respond as an issuer does: 404"],
  ] as const)
    expect(await doctor(variables)).toEqual([expect.stringContaining(problem)]);
});
