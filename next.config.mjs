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

/** @type {import("next").NextConfig} */
export default {
  distDir: buildFolder(),
  reactStrictMode: true,
  poweredByHeader: false,
  // Next would compress our already compressed answers, partial ones too, and leak when a client goes away.
  compress: false,
  // No picture needs it, and its optimizer asks our own routes from inside, past the limits of networks.
  images: { unoptimized: true },
  // The API answers a trailing slash itself.
  skipTrailingSlashRedirect: true,
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
  experimental: {
    optimizePackageImports: ["@mantine/core", "@mantine/hooks"],
    // A page is loaded when it is first asked for: all of them at the start took memory for pages that nobody opens.
    preloadEntriesOnStart: false,
  },
};
