import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type RequestListener, request, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import manifest from "@/clients/cli/package.json";
import { runScript } from "@/tests/support/admin";
import { listening, ownFolder } from "@/tests/support/place";
import { PythonClient, TypeScriptClient } from "./clients";

const folder = ownFolder("way");
const [KEY, CERTIFICATE] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
const servers: Server[] = [];
/** What reached the servers. */
const seen: string[] = [];
/** The programs that sent it. */
const programs = new Set<unknown>();

const service: RequestListener = ({ headers }, response) => {
  seen.push(`service: ${headers.authorization}`);
  programs.add(headers["user-agent"]);
  response.setHeader("Content-Type", "application/json").end('{"username":"alice","role":"user"}');
};

async function opened(server: Server): Promise<number> {
  servers.push(server);
  return listening(server);
}
const answering = (status: number, headers: Record<string, string>, body: string) =>
  opened(
    createServer((_, response) => {
      seen.push(`${status}`);
      response.writeHead(status, headers).end(body);
    }),
  );

let [plain, secure, proxy, closedProxy] = [0, 0, 0, 0];
beforeAll(async () => {
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,DNS:keys.invalid,IP:127.0.0.1"];
  const made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", KEY, "-out", CERTIFICATE];
  execFileSync("openssl", [...made, ...names], { stdio: "ignore" });
  plain = await opened(createServer(service));
  secure = await opened(createSecureServer({ key: readFileSync(KEY), cert: readFileSync(CERTIFICATE) }, service));
  const server = createServer(({ url = "", headers }, response) => {
    seen.push(`proxy: ${new URL(url).host}`);
    const sent = request({ port: plain, path: new URL(url).pathname, headers }, (answer) => answer.pipe(response));
    sent.on("response", ({ statusCode = 0, headers: got }) => response.writeHead(statusCode, got)).end();
  });
  server.on("connect", ({ url }, client) => {
    seen.push(`tunnel: ${url}`);
    const way = connect(secure, "127.0.0.1", () => client.write("HTTP/1.1 200 OK\r\n\r\n"));
    way.pipe(client).on("error", () => way.destroy());
    client.pipe(way).on("error", () => client.destroy());
  });
  proxy = await opened(server);
  const closed = createServer((_, response) => response.writeHead(407).end());
  closed.on("connect", (_, client) => client.end("HTTP/1.1 407 Who?\r\nContent-Length: 0\r\n\r\n"));
  closedProxy = await opened(closed);
});
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
});

/** What the command line says, and as what it ends. */
async function whoami(address: string, more: Record<string, string> = {}): Promise<[number | null, string]> {
  seen.length = 0;
  const { PATH = "" } = process.env;
  const environment = { PATH, HOME: folder, NODE_ENV: "production" as const };
  const signedIn = { LATCHKEY_ADDRESS: address, LATCHKEY_TOKEN: "lk_secret", ...more };
  const { status, stdout, stderr } = await runScript("clients/cli/src/main.ts", ["whoami"], {
    ...environment,
    ...signedIn,
  });
  return [status, stdout + stderr];
}

/** The codes of both clients. */
async function codes(address: string): Promise<string[]> {
  const clients = [new TypeScriptClient(address, "lk_secret"), new PythonClient(address, "lk_secret")];
  return Promise.all(
    clients.map(async (client) => {
      using used = client;
      return (await used.call("me")).error?.[1] ?? "";
    }),
  );
}

describe("what asking again does not change is told at once", () => {
  test("a certificate that nobody knows; its own file makes it known", async () => {
    const address = `https://127.0.0.1:${secure}`;
    const [status, said] = await whoami(address);
    expect([status, said, seen]).toEqual([1, expect.stringContaining("(self-signed certificate)"), []]);
    expect(said).toContain("NODE_EXTRA_CA_CERTS");
    expect(await codes(address)).toEqual(["bad_certificate", "bad_certificate"]);
    expect(await whoami(address, { NODE_EXTRA_CA_CERTS: CERTIFICATE })).toEqual([0, `alice at ${address}\n`]);
  });

  test("a host that does not exist, and a port that programs may not use", async () => {
    expect(await whoami("https://nowhere.invalid")).toEqual([1, expect.stringContaining("ENOTFOUND nowhere.invalid")]);
    expect(await codes("https://nowhere.invalid")).toEqual(["bad_address", "bad_address"]);
    expect(await whoami("http://127.0.0.1:6000")).toEqual([1, expect.stringContaining("bad port")]);
  });

  test("a redirect, where it leads, and nothing goes there", async () => {
    const elsewhere = await answering(200, {}, "");
    for (const status of [301, 302, 307, 308]) {
      const location = `http://localhost:${elsewhere}/below/me?data=secret`;
      const address = `http://127.0.0.1:${await answering(status, { Location: location }, "")}`;
      const [ended, said] = await whoami(address);
      expect([ended, seen]).toEqual([1, [`${status}`]]);
      expect(said).toContain(`${address} redirects to http://localhost:${elsewhere}/below.`);
      expect(await codes(address)).toEqual(["redirected", "redirected"]);
      expect(seen).toEqual([`${status}`, `${status}`, `${status}`]);
    }
  });

  test("a token that no header can hold", async () => {
    for (const token of ["two\nlines", "tökén"]) {
      const [status, said] = await whoami(`http://127.0.0.1:${plain}`, { LATCHKEY_TOKEN: token });
      expect([status, said, seen]).toEqual([3, "The token in LATCHKEY_TOKEN is not valid.\n", []]);
    }
  });

  test("https where there is none", async () => {
    const address = `https://127.0.0.1:${plain}`;
    expect(await whoami(address)).toEqual([1, expect.stringContaining(`${address} does not support https.`)]);
    expect(await codes(address)).toEqual(["bad_response", "invalid_answer"]);
  });

  test("the page of something else", async () => {
    const html = { "Content-Type": "text/html" };
    const address = `http://127.0.0.1:${await answering(200, html, "<html>Sign in to the network")}`;
    expect(await whoami(address)).toEqual([1, `${address} does not respond like Latchkey.\n`]);
    expect(await codes(address)).toEqual(["bad_response", "invalid_answer"]);
    using client = new TypeScriptClient(address);
    expect((await client.call("files.read")).error?.[1]).toBe("bad_response");
  });
});

describe("proxies", () => {
  const by = (port: number) => `http://127.0.0.1:${port}`;

  test("lead to encrypted services by a tunnel, and to others", async () => {
    const more = { NODE_EXTRA_CA_CERTS: CERTIFICATE };
    const alice = (address: string) => [0, `alice at ${address}\n`];
    const [https, http] = ["https://keys.invalid", "http://keys.invalid"];
    expect(await whoami(https, { ...more, HTTPS_PROXY: by(proxy) })).toEqual(alice(https));
    expect(seen).toEqual(["tunnel: keys.invalid:443", "service: Bearer lk_secret"]);
    expect(await whoami(http, { ...more, http_proxy: `127.0.0.1:${proxy}` })).toEqual(alice(http));
    expect(seen).toEqual(["proxy: keys.invalid", "service: Bearer lk_secret"]);
    const direct = `http://127.0.0.1:${plain}`;
    programs.clear();
    expect(await whoami(direct, { HTTP_PROXY: by(proxy) })).toEqual(alice(direct));
    expect(seen).toEqual(["service: Bearer lk_secret"]);
    expect(await whoami(direct)).toEqual(alice(direct));
    expect([...programs]).toEqual([`latchkey-cli/${manifest.version}`]);
  });

  test("but not to what NO_PROXY names", async () => {
    const [status, said] = await whoami("http://keys.invalid", { HTTP_PROXY: by(proxy), NO_PROXY: "x.test,.invalid" });
    expect([status, said, seen]).toEqual([1, expect.stringContaining("ENOTFOUND"), []]);
  });

  test("that refuse, or are none, are named", async () => {
    for (const scheme of ["http", "https"]) {
      const [status, said] = await whoami(`${scheme}://keys.invalid`, { [`${scheme}_proxy`]: by(closedProxy) });
      expect([status, said]).toEqual([1, expect.stringMatching(/407.*Check the proxy/)]);
    }
    const [, said] = await whoami("http://keys.invalid", { HTTP_PROXY: "ftp://user:password@x" });
    expect(said).toBe("HTTP_PROXY is not the address of a proxy, like http://proxy:3128.\n");
  });
});
