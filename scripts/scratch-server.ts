import type { ChildProcess } from "node:child_process";
import { rmSync } from "node:fs";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A server started for a while, in a temporary folder of its own. */
export interface ScratchServer {
  url: string;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

/** A port of 127.0.0.1 that nobody listens on at the moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => (address && typeof address === "object" ? resolve(address.port) : reject(new Error("no port"))));
    });
  });
}

/** Ends a server, by force after five seconds, and removes its folder. */
export async function stopServer(server: ChildProcess, folder: string): Promise<void> {
  if (server.exitCode === null && server.signalCode === null) {
    const ended = new Promise((resolve) => server.once("exit", resolve));
    server.kill("SIGINT");
    await Promise.race([ended, sleep(5_000).then(() => server.kill("SIGKILL"))]);
  }
  rmSync(folder, { recursive: true, force: true });
}
