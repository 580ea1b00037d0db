import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test, vi } from "vitest";
import { freePort } from "@/scripts/scratch-server";
import { doctorOf } from "@/tests/support/admin";
import { ownFolder } from "@/tests/support/place";
import { haproxy, nginx, proxyWarnings, startProxy } from "@/tests/support/proxies";
import { sendTo } from "@/tests/support/request";
import { startService } from "@/tests/support/service";

/** Proxies on the service's machine that say nothing of their clients, as they come. Needs nginx and HAProxy. */

const folder = ownFolder("silent");

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

test.concurrent.each<[string, Start, TRUSTED_PROXIES: string, hasAddress: boolean]>([
  ["nginx's plain proxy_pass, without NEXTAUTH_URL", plainNginx, "", false],
  ["the same, trusted", plainNginx, "loopback", true],
  ["HAProxy in TCP mode", plainHaproxy, "", true],
])(
  "behind %s nobody is this machine: guesses are limited; the log and doctor say what to set",
  async (_, start, TRUSTED_PROXIES, hasAddress) => {
    const front = await freePort();
    const url = `http://127.0.0.1:${front}`;
    const service = await startService(
      { lane: "direct", database: "sqlite" },
      { TRUSTED_PROXIES, FAILED_TOKENS_PER_MINUTE: "5", ...(hasAddress && { NEXTAUTH_URL: url }) },
    );
    const proxy = start(front, Number(new URL(service.url).port));
    try {
      const health = () => sendTo(url, "/health").catch(() => ({ status: 0 }));
      await vi.waitFor(async () => expect((await health()).status).toBe(200), 30_000);
      expect(proxyWarnings(service)).toEqual([]);
      const statuses: number[] = [];
      for (let asked = 0; asked < 7; asked++) statuses.push((await sendTo(url, "/me?auth=lk_none")).status);
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
      expect(proxyWarnings(service)).toEqual([expect.stringContaining("X-Forwarded-For")]);
      const problems = await doctorOf("proxies", { TRUSTED_PROXIES, ...service.storage });
      const problem = expect.stringContaining("client address came through 127.0.0.1");
      expect(problems).toContainEqual(expect.objectContaining({ problem }));
    } finally {
      proxy.kill();
      await once(proxy, "exit");
      await service.stop();
    }
  },
);

/** A tunnel, as `ssh -R` makes one: whatever connects to its port is passed on to the service's, byte for byte. */
async function openTunnel(to: string) {
  const { hostname, port } = new URL(to);
  const open = new Set<Socket>();
  const server = createServer((outer) => {
    const inner = connect(Number(port), hostname);
    for (const socket of [outer, inner]) {
      open.add(socket);
      socket.on("error", () => {}).on("close", () => [outer, inner].map((each) => each.destroy()));
    }
    outer.pipe(inner).pipe(outer);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const close = () => {
    for (const socket of open) socket.destroy();
    server.close();
  };
  return { port: (server.address() as AddressInfo).port, close };
}

const ask = async (port: number | string, path: string, Host: string): Promise<number> => {
  const sent = request({ host: "127.0.0.1", port, path, headers: { Host }, agent: false }).end();
  const [response] = await once(sent, "response");
  await text(response);
  return response.statusCode;
};

test("once anybody came through a tunnel, nobody who comes through it is a program of this machine", async () => {
  const limits = { TRUSTED_PROXIES: "", FAILED_TOKENS_PER_MINUTE: "5" };
  const service = await startService({ lane: "direct", database: "sqlite" }, limits);
  const tunnel = await openTunnel(service.url);
  const { port, host } = new URL(service.url);
  const failTokens = async (through: number | string, name: string) => {
    const statuses: number[] = [];
    for (let asked = 0; asked < 7; asked++) statuses.push(await ask(through, "/me?auth=lk_none", name));
    return statuses;
  };
  const limited = [401, 401, 401, 401, 401, 429, 429];
  try {
    expect(await failTokens(port, host)).toEqual(Array(7).fill(401));
    expect(await ask(tunnel.port, "/health", "tunnel.example")).toBe(200);
    expect(await failTokens(port, host)).toEqual(Array(7).fill(401));
    expect(await ask(tunnel.port, "/link", "tunnel.example")).toBe(421);
    expect(await failTokens(tunnel.port, `localhost:${port}`)).toEqual(limited);
    await service.kill();
    await service.restart();
    expect(await failTokens(tunnel.port, host)).toEqual(limited);
    const warning = expect.stringContaining("a proxy or a tunnel on this machine");
    expect(proxyWarnings(service)).toEqual([warning, warning]);
    const problem = expect.stringContaining("client address came through 127.0.0.1");
    expect(await doctorOf("proxies", service.storage)).toContainEqual(expect.objectContaining({ problem }));
  } finally {
    tunnel.close();
    await service.stop();
  }
});
