import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "redis";
import { freePort, type ScratchServer, startScratch } from "./scratch-server";

/** The path of Redis's server program on this machine; undefined if there is none. */
export function redisBinary(): string | undefined {
  return ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"]
    .map((folder) => join(folder, "redis-server"))
    .find(existsSync);
}

/** Starts a separate Redis that writes nothing to disk, on a free port of 127.0.0.1. Throws if there is no program. */
export async function startRedis(): Promise<ScratchServer> {
  const program = redisBinary();
  if (!program) throw new Error("No Redis program (redis-server) was found on this machine.");
  const folder = mkdtempSync(join(tmpdir(), "latchkey-redis-"));
  const port = await freePort();
  const settings = { port: String(port), bind: "127.0.0.1", dir: folder, save: "", appendonly: "no" };
  const url = `redis://127.0.0.1:${port}`;
  const { stop } = await startScratch(folder, {
    name: "Redis",
    program,
    parameters: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
    connect: () => connectOnce(url),
  });
  return { url, stop };
}

async function connectOnce(url: string): Promise<void> {
  const client = createClient({ url, socket: { reconnectStrategy: false } });
  client.on("error", () => {});
  await client.connect();
  client.destroy();
}
