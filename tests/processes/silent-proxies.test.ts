import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, request } from "node:http";
import { text } from "node:stream/consumers";
import { expect, test, vi } from "vitest";
import { freePort } from "@/scripts/scratch-server";
import { doctorOf } from "@/tests/support/admin";
import { listening, ownFolder } from "@/tests/support/place";
import { haproxy, nginx, proxyWarnings, sample, startProxy } from "@/tests/support/proxies";
import { sendTo } from "@/tests/support/request";
import { startService } from "@/tests/support/service";
import { breakableWay } from "@/tests/support/sockets";

/** Proxies on the service's machine that say nothing of their clients, as they come. Needs nginx and HAProxy. */

const folder = ownFolder("silent");

const UNTRUSTED = { TRUSTED_PROXIES: "", FAILED_TOKENS_PER_MINUTE: "5" };
/** What is answered to seven tokens that are none, where they count. */
const LIMITED = [401, 401, 401, 401, 401, 429, 429];

type Start = (port: number, upstream: number) => ChildProcess;

const plainNginx: Start = (port, upstream) => {
  const place = `location / { proxy_pass http://127.0.0.1:${upstream}; }`;
  const site = `access_log off; server { listen 127.0.0.1:${port}; ${place} }`;
  return startProxy(nginx(folder, `nginx-${port}`, site));
};

const plainHaproxy: Start = (port, upstream) => {
  const times = "timeout connect 5s\n timeout client 1m\n timeout server 1m";
  const listen = `listen all\n bind 127.0.0.1:${port}\n server one 127.0.0.1:${upstream}\n`;
  return startProxy(haproxy(folder, `haproxy-${port}`, `defaults\n mode tcp\n ${times}\n${listen}`));
};

test.concurrent.each<[string, Start, hasAddress: boolean]>([
  ["nginx's plain proxy_pass, without NEXTAUTH_URL", plainNginx, false],
  ["HAProxy in TCP mode", plainHaproxy, true],
])(
  "behind %s nobody is this machine: guesses are limited; the log and doctor say what to set",
  async (_, start, hasAddress) => {
    const front = await freePort();
    const url = `http://127.0.0.1:${front}`;
    const service = await startService(
      { lane: "direct", database: "sqlite" },
      { ...UNTRUSTED, ...(hasAddress && { NEXTAUTH_URL: url }) },
    );
    const proxy = start(front, Number(new URL(service.url).port));
    try {
      const health = () => sendTo(url, "/health").catch(() => ({ status: 0 }));
      await vi.waitFor(async () => expect((await health()).status).toBe(200), 30_000);
      expect(proxyWarnings(service)).toEqual([]);
      const statuses: number[] = [];
      for (let asked = 0; asked < 7; asked++) statuses.push((await sendTo(url, "/me?auth=lk_none")).status);
      expect(statuses).toEqual(LIMITED);
      expect(proxyWarnings(service)).toEqual([expect.stringContaining("X-Forwarded-For")]);
      const problems = await doctorOf("proxies", service.storage);
      const problem = expect.stringContaining("client address came through 127.0.0.1");
      expect(problems).toContainEqual(expect.objectContaining({ problem }));
    } finally {
      proxy.kill();
      await once(proxy, "exit");
      await service.stop();
    }
  },
);

const ask = async (port: number | string, path: string, Host: string): Promise<number> => {
  const sent = request({ host: "127.0.0.1", port, path, headers: { Host }, agent: false }).end();
  const [response] = await once(sent, "response");
  await text(response);
  return response.statusCode;
};

test("once anybody came through a tunnel, nobody who comes through it is a program of this machine", async () => {
  const service = await startService({ lane: "direct", database: "sqlite" }, UNTRUSTED);
  const { hostname, port, host } = new URL(service.url);
  // As `ssh -R` makes one: whatever connects to its port is passed on to the service's, byte for byte.
  const tunnel = await breakableWay(hostname, Number(port));
  const failTokens = async (through: number | string, name: string) => {
    const statuses: number[] = [];
    for (let asked = 0; asked < 7; asked++) statuses.push(await ask(through, "/me?auth=lk_none", name));
    return statuses;
  };
  try {
    expect(await failTokens(port, host)).toEqual(Array(7).fill(401));
    expect(await ask(tunnel.port, "/health", "tunnel.example")).toBe(200);
    expect(await failTokens(port, host)).toEqual(Array(7).fill(401));
    expect(await ask(tunnel.port, "/link", "tunnel.example")).toBe(421);
    expect(await failTokens(tunnel.port, `localhost:${port}`)).toEqual(LIMITED);
    await service.kill();
    await service.restart();
    expect(await failTokens(tunnel.port, host)).toEqual(LIMITED);
    const warning = expect.stringContaining("a proxy or a tunnel on this machine");
    expect(proxyWarnings(service)).toEqual([warning, warning]);
    const problem = expect.stringContaining("client address came through 127.0.0.1");
    expect(await doctorOf("proxies", service.storage)).toContainEqual(expect.objectContaining({ problem }));
  } finally {
    await tunnel.cut();
    await service.stop();
  }
});

/** The guide's proxies, without TLS. */
const GUIDES: Record<string, Start> = {
  nginx(port, upstream) {
    const site = sample("# /etc/nginx/conf.d/latchkey.conf")
      .replace("443 ssl http2", `127.0.0.1:${port}`)
      .replace(/ssl_certificate.*;/g, "")
      .replace("127.0.0.1:3000", `127.0.0.1:${upstream}`)
      .replaceAll("/var/log/nginx", folder);
    return startProxy(nginx(folder, "guide", site));
  },
  haproxy(port, upstream) {
    const placed = sample("# /etc/haproxy/haproxy.cfg")
      .replace(/bind .*/, `bind 127.0.0.1:${port}`)
      .replace("127.0.0.1:3000", `127.0.0.1:${upstream}`);
    return startProxy(haproxy(folder, "guide", placed));
  },
};

test.each(Object.entries(GUIDES))("the guide's %s passes on what shows an edge in front of it", async (_, start) => {
  const upstream = createServer(({ headers }, response) => response.end(JSON.stringify(headers)));
  const [port, behind] = [await freePort(), await listening(upstream)];
  const proxy = start(port, behind);
  try {
    const headers = { Host: "keys.example.org", "X-Forwarded-For": "203.0.113.7", "CF-Connecting-IP": "203.0.113.8" };
    const passed = () => sendTo(`http://127.0.0.1:${port}`, "/me", { headers }).catch(() => undefined);
    await vi.waitFor(async () => expect((await passed())?.status).toBe(200), 30_000);
    expect((await passed())?.body).toMatchObject({
      "x-forwarded-for": "127.0.0.1",
      "x-original-forwarded-for": "203.0.113.7",
      "cf-connecting-ip": "203.0.113.8",
    });
  } finally {
    proxy.kill();
    await once(proxy, "exit");
    upstream.close().closeAllConnections();
  }
});
