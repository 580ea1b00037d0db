import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { runAdmin } from "@/tests/support/admin";
import { startService } from "@/tests/support/service";

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
    const warnings = readFileSync(service.logFile, "utf8")
      .split("\n")
      .filter((line) => line.includes("TRUSTED_PROXIES"));
    expect(warnings).toEqual(Array(2).fill(expect.stringContaining("a proxy or a tunnel on this machine")));
    const environment = { PATH: process.env.PATH, NODE_ENV: "production" as const, ...service.storage };
    const { problems } = JSON.parse((await runAdmin(["doctor"], environment)).stdout);
    const problem = expect.stringContaining("client address came through 127.0.0.1");
    expect(problems).toContainEqual(expect.objectContaining({ check: "proxies", problem }));
  } finally {
    tunnel.close();
    await service.stop();
  }
});
