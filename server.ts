// The self-hosted process: `npm start` builds this file and runs it. Under `next dev`, `next start` and on Vercel it takes no part.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import next from "next";
import { checkConfiguration } from "@/lib/configuration";
import { env } from "@/lib/env";
import { declareServer } from "@/lib/network";
import { openRedis } from "@/lib/redis";
import { lanes } from "./server/lanes";
import { prepareDatabase } from "./server/prepare";
import { refuseUnreadable } from "./server/refuse";
import { stopOnSignal } from "./server/stop";
import { startSweeps } from "./server/sweeps";

/** 262,144 bytes of address (contract, section 1: URL length), and room for the other headers. */
const MAX_HEADER_BYTES = 262_144 + 16_384;

async function start(): Promise<AddressInfo> {
  declareServer();
  checkConfiguration();
  // Next would listen for upgrades on the server of the first request; on this one, which never listens, it hears none.
  const pages = next({ dev: false, hostname: env.HOST, port: env.PORT, httpServer: createServer() });
  let prepared = false;
  const front = { hops: env.TRUSTED_PROXY_HOPS, origin: env.NEXTAUTH_URL ? new URL(env.NEXTAUTH_URL) : undefined };
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      // Checked by ourselves, so that the answer is JSON.
      requireHostHeader: false,
      headersTimeout: 20_000,
      requestTimeout: 300_000,
      // Longer than the usual proxies keep an idle connection, so that none is closed under a request.
      keepAliveTimeout: 75_000,
      // Finds clients that vanished in the middle of a download; one that is only slow may take hours.
      keepAlive: true,
      keepAliveInitialDelay: 60_000,
    },
    lanes(pages.getRequestHandler(), front, () => prepared),
  );
  server.on("clientError", refuseUnreadable);
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(env.PORT, env.HOST, resolve));
  stopOnSignal(server);
  await Promise.all([prepareDatabase(), openRedis(), pages.prepare()]);
  prepared = true;
  startSweeps();
  return server.address() as AddressInfo;
}

function announce({ port }: AddressInfo): void {
  const host = ["0.0.0.0", "::"].includes(env.HOST) ? "localhost" : env.HOST.includes(":") ? `[${env.HOST}]` : env.HOST;
  const address = env.NEXTAUTH_URL ?? `http://${host}:${port}`;
  console.log(`Latchkey is running at ${address}${env.NEXTAUTH_URL ? `, listening on port ${port}` : ""}`);
  console.log(`  Sign up:         ${address}/signup`);
  console.log(`  Link a program:  ${address}/link`);
}

function explain(error: NodeJS.ErrnoException): string {
  if (error.code === "EADDRINUSE") return `Port ${env.PORT} is in use by another program: stop that one, or set PORT to a free port.`;
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND") return `HOST cannot be ${env.HOST}: this machine has no such address.`;
  if (error.code === "EACCES" && error.syscall === "listen") return `This user may not listen on port ${env.PORT}: set PORT to one above 1023.`;
  return error.message;
}

try {
  announce(await start());
} catch (error) {
  console.error(explain(error as NodeJS.ErrnoException));
  process.exit(1);
}
