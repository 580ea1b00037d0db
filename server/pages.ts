import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { env } from "@/lib/platform/env";
import { setActionsKey } from "./prepare";

type Pages = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Serves pages with Next, which is loaded at the first request for one. */
export function pages(): Pages {
  let loading: Promise<Pages> | undefined;
  return async (request, response) => {
    loading ??= load();
    const handle = await loading.catch((error) => {
      loading = undefined;
      throw error;
    });
    return handle(request, response);
  };
}

async function load(): Promise<Pages> {
  setActionsKey();
  const { default: next } = await import("next");
  // Next would listen for upgrades on the server of the first request; on this one, which never listens, it gets none.
  // Only "localhost", wherever the service listens: Next calls every loopback address so where proxy.ts rewrites an
  // address, and would ask any other name over the network, with HTTPS behind a proxy that speaks it
  // (https://github.com/vercel/next.js/issues/94745).
  const application = next({ dev: false, hostname: "localhost", port: env.PORT, httpServer: createServer() });
  await application.prepare();
  return application.getRequestHandler();
}
