import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ADDRESS_BYTES } from "@/lib/platform/bounds";
import { env } from "@/lib/platform/env";
import { declareServer } from "@/lib/platform/network/network";
import { compressedAssets } from "./compressed-assets";
import { frontOf } from "./front";
import { actionsOf, HEADER_BYTES } from "./gate-limits";
import { lanes } from "./lanes";
import { outliveFaults } from "./log";
import { pagePatterns, pages, routeNamer } from "./pages";
import { lastPassed, type NoteProxy, noteProxy } from "./proxy-warnings";
import { refuseUnreadable } from "./refuse";
import { stopOnSignal } from "./stop";

/** The address, and the other headers. */
const MAX_HEADER_BYTES = ADDRESS_BYTES + HEADER_BYTES;

/**
 * Listens, and responds with 503 until `prepare` has migrated the database; then serves everything and returns the
 * port. Throws an Error whose message is a sentence if it cannot listen.
 */
export async function serve(prepare: () => Promise<void>): Promise<number> {
  declareServer();
  outliveFaults();
  let prepared = false;
  const unnoted: Parameters<NoteProxy>[0][] = [];
  // Nothing may use the database while it is migrated.
  const note: NoteProxy = (proxy) => void (prepared ? noteProxy(proxy) : unnoted.push(proxy));
  const front = frontOf(env.TRUSTED_PROXIES, env.NEXTAUTH_URL, {
    note,
    lastPassed: async () => (prepared ? lastPassed() : 0),
  });
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      // We check it ourselves, so that the response is JSON.
      requireHostHeader: false,
      headersTimeout: 20_000,
      // ./buffered-body limits bodies.
      requestTimeout: 0,
      // Longer than common proxies keep an idle connection, so that none is closed during a request.
      keepAliveTimeout: 75_000,
      // Detects clients that vanished during a download; a slow one may take hours.
      keepAlive: true,
      keepAliveInitialDelay: 60_000,
    },
    lanes(pages(), front, {
      isPrepared: () => prepared,
      routeOf: routeNamer(pagePatterns(import.meta.dirname)),
      actions: actionsOf(import.meta.dirname),
      assets: compressedAssets(import.meta.dirname),
    }),
  );
  server.on("clientError", refuseUnreadable);
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(env.PORT, env.HOST, resolve)).catch(
    (error) => {
      throw new Error(whyNotListening(error));
    },
  );
  stopOnSignal(server);
  await prepare();
  prepared = true;
  await front.recall();
  for (const proxy of unnoted) void noteProxy(proxy);
  return (server.address() as AddressInfo).port;
}

function whyNotListening(error: NodeJS.ErrnoException): string {
  if (error.code === "EADDRINUSE")
    return `Port ${env.PORT} is in use by another program: stop that one, or set PORT to a free port.`;
  if (["EADDRNOTAVAIL", "EAFNOSUPPORT", "ENOTFOUND"].includes(error.code ?? ""))
    return `HOST cannot be ${env.HOST}: this machine has no such address.`;
  if (error.code === "EACCES") return `This user may not listen on port ${env.PORT}: set PORT to a number above 1023.`;
  return error.message;
}
