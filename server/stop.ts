import cluster from "node:cluster";
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { closeDatabase } from "@/lib/db/client";
import { log } from "@/lib/log";
import { closeRedis } from "@/lib/redis";
import { onSignal } from "./signals";

/** How long running requests may take to finish. */
const PATIENCE_MS = 10_000;
/** How long a connection may be open before its first byte: what is on its way is still answered. */
const SILENCE_MS = 1_000;

/**
 * Ends the process well on SIGTERM or SIGINT: no new connections, running requests finish within ten seconds, the database
 * and Redis are closed, exit 0. A signal that comes a second later ends it at once.
 */
export function stopOnSignal(server: Server): void {
  const connections = new Set<Socket>();
  server.on("connection", (socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  const stop = (signal: NodeJS.Signals) => {
    log.info({ signal }, "stopping");
    void drain(server, connections)
      .then(closeRedis)
      .then(closeDatabase)
      .catch((error) => log.error({ err: error }, "the database could not be closed"))
      .finally(() => process.exit(0));
  };
  if (cluster.isPrimary) onSignal(["SIGTERM", "SIGINT"], stop, () => process.exit(1));
  // The first process ends the others.
  else onSignal(["SIGTERM"], stop, () => {});
}

function drain(server: Server, connections: Set<Socket>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    // Whoever asks on an open connection is still answered, and told that this was the last time.
    server.prependListener("request", (_, response) => response.setHeader("Connection", "close"));
    setInterval(() => server.closeIdleConnections(), 50);
    // Browsers open connections in advance; to Node such a one is not idle.
    setTimeout(() => {
      for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
    }, SILENCE_MS);
    setTimeout(() => {
      log.warn("requests that did not finish are cut off");
      server.closeAllConnections();
    }, PATIENCE_MS);
  });
}
