import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The folder of the build: the requested one, or else the one that `npm start` selected, or else Next's own. */
function buildFolder() {
  if (process.env.BUILD_DIR) return process.env.BUILD_DIR;
  const pointer = join(import.meta.dirname, ".builds", "current");
  const pointerCounts = process.env.NODE_ENV !== "development" && !process.env.VERCEL;
  if (pointerCounts && existsSync(pointer)) return join(".builds", readFileSync(pointer, "utf8").trim());
  return ".next";
}

const POLICY = [
  { key: "Referrer-Policy", value: "no-referrer" },
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "X-Frame-Options", value: "DENY" },
  { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
  { key: "Cross-Origin-Resource-Policy", value: "same-origin" },
];

/** @type {{ type: "header"; key: string; value: string }} */
const ACCEPTS_HTML = { type: "header", key: "accept", value: ".*[tT][eE][xX][tT]/[hH][tT][mM][lL].*" };

// Written by `npm run codegen`, like the matcher of proxy.ts.
const API_PREFIXES = [
  "\\.well-known",
  "generate_validator",
  "get_user",
  "health",
  "keys",
  "link",
  "live",
  "me",
  "metrics",
  "oauth",
  "openapi\\.json",
  "read-files",
  "ready",
  "v2",
  "validate",
].join("|");
/** Where unknown addresses lead: a handler that responds as the contract says. */
const NOTHING = "/api/unknown-address";

const MOVED = [
  ["/docs/try", "/docs"],
  ["/docs/link", "/docs/guides/command-line"],
  ["/docs/keys", "/docs/guides/keys"],
  ["/docs/files", "/docs/guides/backup"],
  ["/docs/clients", "/docs/guides/existing-clients"],
];

/** @type {import("next").NextConfig} */
export default {
  distDir: buildFolder(),
  // Equal for equal sources, so that machines that build separately serve each other's pages. Imported here: a running
  // service has no sources.
  generateBuildId: async () => (await import("./scripts/sources.mjs")).hashOfSources().slice(0, 20),
  reactStrictMode: true,
  pageExtensions: ["tsx", "ts"],
  poweredByHeader: false,
  // Of everybody: a page's title comes with the page, not after it. Else a page that refreshes itself has none for a
  // moment each time: the tab flickers, and a screen reader announces an untitled page.
  htmlLimitedBots: /.*/,
  // Next would compress our already compressed responses, even partial ones, and leak if a client disconnects.
  // server/page-compression.ts decides what may be compressed.
  compress: false,
  // No picture needs it, and its optimizer requests our own routes internally, bypassing the limits by network.
  images: { unoptimized: true },
  // Where pages of the documentation used to be.
  redirects: async () => MOVED.map(([source, destination]) => ({ source, destination, permanent: true })),
  // The API handles a trailing slash itself.
  skipTrailingSlashRedirect: true,
  // Unknown addresses get a page for people and JSON for programs (contract, section 1: unknown paths). server.ts uses
  // its own handler.
  // For programs, the console is one of them (lib/api/handler.ts).
  rewrites: async () => ({
    beforeFiles: [
      // An encoded letter in a route's name: Next would find the route, and then respond with a page of its own.
      { source: "/:area(keys|link)/:verb([^/]*%[^/]*)/:rest*", destination: NOTHING },
      // lib/api/declaration.ts
      { source: "/get_user", destination: "/me" },
      { source: "/files/entries", destination: "/read-files" },
      { source: "/v2/get_user", destination: "/me" },
      { source: "/v2/files/entries", destination: "/read-files" },
      { source: `/v2/:prefix((?!v2)(?:${API_PREFIXES}))/:path+`, destination: "/:prefix/:path+" },
      // The pages /keys and /link have no other address.
      { source: `/v2/:route((?!keys|link)(?:${API_PREFIXES}))`, destination: "/:route" },
      {
        source: "/admin/:section(audit|keys|links|settings|users)?",
        missing: [ACCEPTS_HTML, ...["rsc", "next-action"].map((key) => /** @type {const} */ ({ type: "header", key }))],
        destination: NOTHING,
      },
    ],
    fallback: [
      { source: `/:prefix(${API_PREFIXES})/:path+`, destination: NOTHING },
      { source: "/:path*", missing: [ACCEPTS_HTML], destination: NOTHING },
    ],
  }),
  // proxy.ts does not see these. Under server.ts every response has these headers (server/response.ts).
  headers: async () =>
    ["/_next/:path*", "/api/:path*", "/icon.svg", "/favicon.ico", ...MOVED.map(([source]) => source)].map((source) => ({
      source,
      headers: POLICY,
    })),
  // The pages of the documentation show the programs in examples/. The service serves its client as one module.
  turbopack: {
    rules: {
      "*": { condition: { query: "?raw" }, type: "text" },
      "*.ts": {
        condition: { query: "?client" },
        loaders: [join(import.meta.dirname, "scripts/clients/bundle.mjs")],
        as: "*.js",
      },
    },
  },
  // Types are checked by `npm run types`.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: [
    "better-sqlite3",
    "pg",
    "@node-rs/argon2",
    "@prisma/client",
    "@prisma/adapter-better-sqlite3",
    "@prisma/adapter-pg",
    "pino",
    "pino-pretty",
    "prom-client",
  ],
  // Read at run time by lib/platform/db/migrate, so tracing the imports does not find them.
  outputFileTracingIncludes: { "/*": ["./prisma/migrations/**/*"] },
  // In development Next would print addresses with their tokens, and arguments of actions with passwords, to the
  // terminal.
  logging: false,
  // Limits for the input of actions, and for the part of a body that Next buffers for proxy.ts, if server.ts does not
  // limit both first (docs/security.md).
  experimental: {
    // Each process that makes pages of a build takes memory (scripts/build-plan.mjs).
    ...(process.env.BUILD_WORKERS && { cpus: Number(process.env.BUILD_WORKERS) }),
    serverActions: { bodySizeLimit: 409_600 },
    proxyClientMaxBodySize: 409_600,
    // Else every page loads the styles of all. The cost of a request is that of its headers.
    cssChunking: { type: "graph", requestCost: 4000 },
    // A page is loaded at its first request: loading all of them at the start took memory for pages that nobody opens.
    preloadEntriesOnStart: false,
    // Each build has a folder of its own, so it would never read a cache; and nothing reads source maps.
    turbopackFileSystemCacheForBuild: false,
    turbopackSourceMaps: false,
    turbopackInputSourceMaps: false,
  },
};
