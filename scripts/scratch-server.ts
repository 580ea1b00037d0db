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

/**
 * Systems give outgoing connections ports from 32,768 on. A client that goes on asking for a server there, which is down, is sooner
 * or later given the server's own port, is connected to itself, and the server finds its port taken.
 */
const PORTS_FROM = 10_000;
const PORTS_A_PROCESS = 32;
/** Processes that look for a port at the same time look in different places. */
const firstPort = PORTS_FROM + (process.pid % 700) * PORTS_A_PROCESS;
let tried = 0;

/** A port of 127.0.0.1 that nobody listens on at the moment. Throws where this process finds none. */
export async function freePort(): Promise<number> {
  for (let count = 0; count < PORTS_A_PROCESS; count++) {
    const port = firstPort + (tried++ % PORTS_A_PROCESS);
    if (await isFree(port)) return port;
  }
  throw new Error(`All ports from ${firstPort} to ${firstPort + PORTS_A_PROCESS - 1} are taken.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
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
