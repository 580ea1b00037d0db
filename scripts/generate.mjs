// Derives the SQLite schema from prisma/schema.prisma and generates the clients of both databases, and the table
// definitions for backups.
// Runs after every install, before a migration is written, and where npm runs no scripts, before what needs it.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { GENERATED, hashOfSchema } from "./sources.mjs";

const prisma = createRequire(import.meta.url).resolve("prisma/build/index.js");

const models = readFileSync("prisma/schema.prisma", "utf8");
const sqlite = models
  .replace(/^generator tables \{\n.*?^\}\n\n/ms, "")
  .replace(/output\s*=\s*"[^"]*"/, 'output = "./sqlite"')
  .replace('provider = "postgresql"', 'provider = "sqlite"')
  // Only an INTEGER autoincrements there, and it has 64 bits too.
  .replace(/BigInt(\s+@id @default\(autoincrement\(\)\))/g, "Int$1")
  .replace(/^\/\/ (.*\n)+?\n/, "// Derived from prisma/schema.prisma. Do not edit.\n\n");
mkdirSync("prisma/generated", { recursive: true });
rmSync(GENERATED, { force: true });
writeFileSync("prisma/generated/sqlite.prisma", sqlite);

for (const schema of ["prisma/schema.prisma", "prisma/generated/sqlite.prisma"]) {
  // Its output means nothing to somebody installing, unless it fails.
  const { status, stderr } = spawnSync(process.execPath, [prisma, "generate", "--schema", schema, "--no-hints"], {
    encoding: "utf8",
  });
  if (status === 0) continue;
  process.stderr.write(stderr);
  process.exit(status ?? 1);
}
writeFileSync(GENERATED, hashOfSchema());

// npm says nothing of an optional package that it could not install, and the service needs this one.
try {
  const { default: Database } = await import("better-sqlite3");
  new Database(":memory:").close();
} catch {
  process.stderr.write(
    "better-sqlite3 could not be installed: see docs/operations.md, or use Node.js 22.14 or later.\n",
  );
}
