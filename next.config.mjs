import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The folder of the build: the one asked for, else the one that `npm start` switched in, else Next's own. */
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

/** @type {import("next").NextConfig} */
export default {
  distDir: buildFolder(),
  // The same for the same sources, so that machines that each build serve each other's pages. Imported here: a running service has no sources.
  generateBuildId: async () => (await import("./scripts/sources.mjs")).hashOfSources().slice(0, 20),
  reactStrictMode: true,
  poweredByHeader: false,
  // Next would compress our already compressed answers, partial ones too, and leak when a client goes away.
  compress: false,
  // No picture needs it, and its optimizer asks our own routes from inside, past the limits of networks.
  images: { unoptimized: true },
  // The API answers a trailing slash itself.
  skipTrailingSlashRedirect: true,
  // What nobody serves is a page to people and JSON to programs (contract, section 1: unknown paths). server.ts asks its own handler.
  rewrites: async () => ({
    fallback: [
      { source: "/:path*", missing: [{ type: "header", key: "accept", value: ".*[tT][eE][xX][tT]/[hH][tT][mM][lL].*" }], destination: "/health/nothing" },
    ],
  }),
  // proxy.ts does not see these. Under server.ts every answer has these headers (server/answer-head.ts).
  headers: async () => ["/_next/:path*", "/api/:path*", "/icon.svg", "/favicon.ico"].map((source) => ({ source, headers: POLICY })),
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
    "redis",
  ],
  // Read at run time by lib/db/migrate, so not found by following imports.
  outputFileTracingIncludes: { "/*": ["./prisma/migrations/**/*"] },
  // In development Next would write addresses with their tokens, and what is sent to actions with its passwords, into the terminal.
  logging: false,
  // What an action takes, and what Next keeps of a body in memory for proxy.ts, where server.ts does not bound both before (docs/gate.md).
  experimental: {
    serverActions: { bodySizeLimit: 409_600 },
    proxyClientMaxBodySize: 409_600,
    optimizePackageImports: ["@mantine/core", "@mantine/hooks"],
    // A page is loaded when it is first asked for: all of them at the start took memory for pages that nobody opens.
    preloadEntriesOnStart: false,
  },
};
