import { readFileSync } from "node:fs";
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

/** The patterns of the pages in a build of Next. */
export function pagePatterns(buildFolder: string): string[] {
  return Object.values(JSON.parse(readFileSync(`${buildFolder}/app-path-routes-manifest.json`, "utf8")));
}

/** The name for paths that match none of them. */
export const UNKNOWN_PAGE = "(unknown page)";

/** Finds the pattern of a path, for log lines and metrics: a path itself may contain anything. */
export function routeNamer(patterns: string[]): (path: string) => string {
  const fixed = new Set(patterns.filter((pattern) => !pattern.includes("[")));
  const open = patterns
    .filter((pattern) => pattern.includes("["))
    .map((pattern) => ({
      pattern,
      shape: new RegExp(
        `^${pattern
          .replace(/[.*+?^$()|\\]/g, "\\$&")
          .replace(/\[\\\.\\\.\\\.\w+\]/g, ".+")
          .replace(/\[\w+\]/g, "[^/]+")}$`,
      ),
    }));
  return (path) => {
    if (path.startsWith("/_next/static/")) return "(asset)";
    const plain = path.length > 1 ? path.replace(/\/+$/, "") || "/" : path;
    return fixed.has(plain) ? plain : (open.find(({ shape }) => shape.test(plain))?.pattern ?? UNKNOWN_PAGE);
  };
}
