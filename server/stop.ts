import cluster from "node:cluster";
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { endWaits } from "@/lib/link/wait";
import { closeDatabase } from "@/lib/platform/db/client";
import { noteStopping } from "@/lib/platform/db/ready";
import { addCounted } from "@/lib/platform/limits/events";
import { addRefusals } from "@/lib/platform/limits/refusals";
import { log } from "@/lib/platform/log";

/** Signals that end the service. A terminal that is closed sends SIGHUP. */
export const ENDING: readonly NodeJS.Signals[] = ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"];

/** How long `/ready` says 503 before connections are refused: balancers that poll it notice. */
const NOTICE_MS = 3_000;
/** How long running requests may take to finish. */
const PATIENCE_MS = 10_000;
/** How long a connection may be open before its first byte: requests already on their way still get a response. */
const SILENCE_MS = 1_000;

/**
 * Ends the process gracefully on a signal of `ENDING`: `/ready` says 503 for three seconds (not on SIGINT, which a
 * person sends), then there are no new connections, running requests finish within ten seconds, the database is closed,
 * exit 0. A signal that comes a second later ends it immediately.
 */
export function stopOnSignal(server: Server): void {
  const connections = new Set<Socket>();
  server.on("connection", (socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  const stop = async (signal: NodeJS.Signals) => {
    log.info({ signal }, "stopping");
    noteStopping();
    if (signal !== "SIGINT") await sleep(NOTICE_MS);
    endWaits();
    await drain(server, connections)
      .then(addRefusals)
      .then(() => addCounted())
      .then(closeDatabase)
      .catch((error) => log.error({ err: error }, "the database could not be closed"))
      .finally(() => process.exit(0));
  };
  if (cluster.isPrimary) onSignal(ENDING, stop, () => process.exit(1));
  // The primary process ends the others.
  else onSignal(["SIGTERM"], stop, () => {});
}

function drain(server: Server, connections: Set<Socket>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    // Requests on open connections still get a response, which announces that the connection closes.
    server.prependListener("request", (_, response) => response.setHeader("Connection", "close"));
    setInterval(() => server.closeIdleConnections(), 50);
    // Browsers open connections in advance, which Node does not count as idle.
    setTimeout(() => {
      for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
    }, SILENCE_MS);
    setTimeout(() => {
      log.warn("unfinished requests are cut off");
      server.closeAllConnections();
    }, PATIENCE_MS);
  });
}

/**
 * Signals that would end this process at once (SIGUSR2), or open Node's inspector on a port that every user of the
 * machine may use (SIGUSR1), do nothing.
 */
export function ignoreUserSignals(): void {
  for (const signal of ["SIGUSR1", "SIGUSR2"] as const) process.on(signal, () => {});
}

/**
 * A signal sent through npm or a terminal may arrive twice: directly, and through the process that started the service.
 */
const SAME_MS = 1_000;

/** Calls `stop` on the first of these signals, and `atOnce` on one that comes a second or more after it. */
export function onSignal(
  signals: readonly NodeJS.Signals[],
  stop: (signal: NodeJS.Signals) => void,
  atOnce: () => void,
): void {
  let began: number | undefined;
  const onReceived = (signal: NodeJS.Signals) => {
    if (began === undefined) {
      began = performance.now();
      stop(signal);
    } else if (performance.now() - began >= SAME_MS) atOnce();
  };
  for (const signal of signals) process.on(signal, onReceived);
}
