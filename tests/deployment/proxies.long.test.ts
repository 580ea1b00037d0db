import { type ChildProcess, execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import http2 from "node:http2";
import https from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isOnPath } from "@/scripts/install";
import { freePort } from "@/scripts/scratch-server";
import { addressOf } from "@/tests/support/place";
import { haproxy, nginx, sample, startProxy } from "@/tests/support/proxies";

/**
 * The samples of docs/operations.md, run as they stand in front of a server that says what reached it. Needs nginx,
 * HAProxy, Caddy and curl.
 */

/** A self-signed certificate for keys.example.org in `folder`; HAProxy wants it and its key in one file. */
function makeCertificate(folder: string): void {
  const [certificate, key] = [join(folder, "certificate.pem"), join(folder, "key.pem")];
  const subject = ["-subj", "/CN=keys.example.org", "-addext", "subjectAltName=DNS:keys.example.org"];
  const how = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", key, "-out", certificate];
  execFileSync("openssl", ["req", ...how, ...subject], { stdio: "ignore" });
  writeFileSync(join(folder, "certificate-and-key.pem"), readFileSync(certificate, "utf8") + readFileSync(key, "utf8"));
}

/** Each proxy with its sample, unchanged except for ports, protocols, paths and the source of its certificate. */
type Place = (folder: string, port: number, upstream: number) => [program: string, parameters: string[]];
const PROXIES: Record<string, Place> = {
  nginx(folder, port, upstream) {
    const site = sample("# /etc/nginx/conf.d/latchkey.conf")
      .replace("443 ssl", `127.0.0.1:${port} ssl`)
      .replace("127.0.0.1:3000", `127.0.0.1:${upstream}`);
    const placed = site.replaceAll("/etc/ssl/latchkey", folder).replaceAll("/var/log/nginx", folder);
    return nginx(folder, "nginx", placed);
  },
  haproxy(folder, port, upstream) {
    const placed = sample("# /etc/haproxy/haproxy.cfg")
      .replace("bind :443", `bind 127.0.0.1:${port}`)
      .replace("127.0.0.1:3000", `127.0.0.1:${upstream}`);
    return haproxy(folder, "haproxy", placed.replaceAll("/etc/ssl/latchkey", folder));
  },
  caddy(folder, port, upstream) {
    const site = sample("# /etc/caddy/Caddyfile").replace(
      "keys.example.org {",
      `keys.example.org:${port} {\n\ttls ${folder}/certificate.pem ${folder}/key.pem`,
    );
    const placed = site.replace("127.0.0.1:3000", `127.0.0.1:${upstream}`);
    // HTTP/3 needs the port's UDP side, by which freePort() keeps it.
    const options = "admin off\n\tauto_https disable_redirects\n\tservers {\n\t\tprotocols h1 h2\n\t}";
    writeFileSync(join(folder, "Caddyfile"), `{\n\t${options}\n}\n${placed}`);
    return ["caddy", ["run", "--adapter", "caddyfile", "--config", join(folder, "Caddyfile")]];
  },
};

/** Starts a proxy on `port` of 127.0.0.1 in front of `upstream`. Its files are in `folder`. */
function start(name: string, folder: string, port: number, upstream: number): ChildProcess {
  makeCertificate(folder);
  return startProxy(PROXIES[name]?.(folder, port, upstream) ?? ["", []], { HOME: folder, XDG_DATA_HOME: folder });
}

const MB = 1_000_000;
const HALF = Buffer.alloc(MB, "a");

async function upstream(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://a");
  if (pathname === "/ready") return void response.end("ok");
  if (pathname === "/download") {
    const range = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? "");
    if (range)
      return void response
        .writeHead(206, { "Content-Range": `bytes ${range[1]}-${range[2]}/${100 * MB}` })
        .end(HALF.subarray(0, 10));
    response.writeHead(200, { "Content-Length": 100 * MB });
    for (let sent = 0; sent < 100; sent++) if (!response.write(HALF)) await once(response, "drain");
    return void response.end();
  }
  if (pathname === "/wait") await sleep(Number(searchParams.get("seconds")) * 1_000);
  let received = 0;
  for await (const chunk of request) received += chunk.length;
  response.setHeader("Content-Type", "application/json");
  response.end(JSON.stringify({ length: request.url?.length, received, headers: request.headers }));
}

const address = addressOf(
  createServer({ maxHeaderSize: 300_000 }, (request, response) => void upstream(request, response)),
);

describe.each(Object.keys(PROXIES).filter(isOnPath))("%s, by its sample,", (name) => {
  const folder = mkdtempSync(join(tmpdir(), `latchkey-${name}-`));
  let base: string[];
  let port: number;
  let proxy: ChildProcess;
  const curl = async (path: string, ...more: string[]) => {
    const config = join(folder, `curl-${Math.random()}`);
    writeFileSync(config, `url = "https://keys.example.org:${port}${path}"\n`);
    return (await promisify(execFile)("curl", [...base, ...more, "-K", config], { maxBuffer: 10 * MB })).stdout;
  };
  beforeAll(async () => {
    port = await freePort();
    proxy = start(name, folder, port, Number(new URL(address()).port));
    const resolved = ["--resolve", `keys.example.org:${port}:127.0.0.1`];
    base = ["-sS", "--http2", "--cacert", join(folder, "certificate.pem"), ...resolved];
    for (let attempt = 0; attempt < 100 && (await curl("/ready").catch(() => "")) !== "ok"; attempt++) await sleep(200);
  });
  afterAll(() => {
    proxy.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  test("speaks HTTP/2, and writes the forwarded headers itself", async () => {
    const lies = ["For: 203.0.113.9", "Host: elsewhere.example", "Proto: http"];
    expect(await curl("/", "-o", "/dev/null", "-w", "%{http_version}")).toBe("2");
    const { headers } = JSON.parse(await curl("/", ...lies.flatMap((lie) => ["-H", `X-Forwarded-${lie}`])));
    expect(headers["x-forwarded-for"]).toBe("127.0.0.1");
    expect(headers["x-forwarded-host"]).toMatch(/^keys\.example\.org(?::\d+)?$/);
    expect(headers["x-forwarded-proto"]).toBe("https");
  });

  // curl takes no address of that length, neither as an argument nor from a file.
  test("hands on an address of 200,000 bytes, by HTTP/1.1 and by HTTP/2", async () => {
    const path = `/keys/create?data=${"%41".repeat(66_000)}`;
    const trust = { ca: readFileSync(join(folder, "certificate.pem")), servername: "keys.example.org" };
    const first = new Promise<string>((resolve, reject) => {
      const asking = https.get(
        { ...trust, host: "127.0.0.1", port, path, headers: { Host: "keys.example.org" } },
        (answer) => resolve(text(answer)),
      );
      asking.on("error", reject);
    });
    const session = http2.connect(`https://127.0.0.1:${port}`, { ...trust, maxSendHeaderBlockLength: 300_000 });
    const second = session.request({ ":path": path, ":authority": `keys.example.org:${port}` });
    for (const answer of [await first, await text(second)]) expect(JSON.parse(answer).length).toBe(path.length);
    session.close();
  });

  test("hands on 100 MB up and down, and ranges", async () => {
    writeFileSync(join(folder, "large"), Buffer.alloc(100 * MB));
    expect(JSON.parse(await curl("/upload", "-X", "POST", "--data-binary", `@${join(folder, "large")}`)).received).toBe(
      100 * MB,
    );
    expect(await curl("/download", "-o", "/dev/null", "-w", "%{size_download}")).toBe(String(100 * MB));
    expect(await curl("/download", "-r", "0-9", "-w", " %{http_code}")).toBe("aaaaaaaaaa 206");
  });

  test("waits for an answer", async () => {
    expect(JSON.parse(await curl("/wait?seconds=26")).received).toBe(0);
  });

  test("keeps addresses out of its log", async () => {
    await curl("/me?auth=lk_secret");
    const logs = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".log"));
    for (const log of logs) expect(readFileSync(join(folder, log), "utf8")).not.toMatch(/lk_secret|auth=/);
  });
});

test("the systemd unit is valid, and hardened", () => {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-unit-"));
  const unit = join(folder, "latchkey.service");
  writeFileSync(unit, sample("# /etc/systemd/system/latchkey.service"));
  execFileSync("systemd-analyze", ["verify", unit], { stdio: "pipe" });
  const exposure = execFileSync("systemd-analyze", ["security", "--offline=yes", unit], { encoding: "utf8" });
  expect(Number(/Overall exposure level[^:]*: ([\d.]+)/.exec(exposure)?.[1])).toBeLessThan(2);
  rmSync(folder, { recursive: true });
});
