import { execFile, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createClient } from "@redis/client";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { freePort } from "@/scripts/scratch-server";

const [shell, option, script]: string[] = parse(readFileSync("compose.yaml", "utf8")).services.redis.command;

async function ping(port: number, password?: string): Promise<string> {
  const client = createClient({ url: `redis://127.0.0.1:${port}`, password, socket: { reconnectStrategy: false } });
  client.on("error", () => {});
  try {
    await client.connect();
    return await client.ping();
  } catch (error) {
    return (error as Error).message;
  } finally {
    if (client.isOpen) client.destroy();
  }
}

test("compose's Redis answers who knows the password, nobody else, and shows it in no list of processes", async () => {
  const port = await freePort();
  const password = "0f1e2d3c4b5a69788796a5b4c3d2e1f0";
  // Compose writes $$ for $. The port is the test's own.
  const command =
    script?.replace("$$", "$").replace("redis-server - ", `redis-server - --port ${port} --bind 127.0.0.1 `) ?? "";
  const server = spawn(shell ?? "", [option ?? "", command], {
    env: { ...process.env, REDISCLI_AUTH: password },
    stdio: "ignore",
  });
  try {
    await expect.poll(() => ping(port, password)).toBe("PONG");
    expect(await ping(port)).toMatch(/NOAUTH/);
    expect(await ping(port, "wrong")).toMatch(/WRONGPASS/);
    const shown = await new Promise<string>((resolve) =>
      execFile("ps", ["-ww", "-o", "args", "-p", String(server.pid)], (_, stdout) => resolve(stdout)),
    );
    expect(shown).toContain("redis-server");
    expect(shown).not.toContain(password);
  } finally {
    server.kill();
  }
});
