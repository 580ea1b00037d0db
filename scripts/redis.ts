import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "redis";
import { endWithThisProcess, freePort, type ScratchServer, stopServer } from "./scratch-server";

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
  const server = spawn(program, [...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])], {
    stdio: "ignore",
    cwd: folder,
  });
  endWithThisProcess(server, folder);
  const url = `redis://127.0.0.1:${port}`;
  const stop = () => stopServer(server, folder);
  try {
    await untilItAnswers(url, server);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}

async function untilItAnswers(url: string, server: ChildProcess): Promise<void> {
  const giveUp = Date.now() + 30_000;
  for (;;) {
    const client = createClient({ url, socket: { reconnectStrategy: false } });
    client.on("error", () => {});
    try {
      await client.connect();
      client.destroy();
      return;
    } catch (error) {
      if (server.exitCode !== null || Date.now() > giveUp) throw new Error("Redis did not start.", { cause: error });
      await sleep(50);
    }
  }
}
