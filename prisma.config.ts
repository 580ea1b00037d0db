import { defineConfig } from "prisma/config";

// `prisma generate` looks for a schema engine that it does not use and would download it; any file satisfies it.
// `prisma migrate` needs the engine, so other commands leave the variable unchanged.
if (process.argv.includes("generate")) process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;

const url = process.env.DATABASE_URL;

export default defineConfig(
  url
    ? { schema: "prisma/schema.prisma", migrations: { path: "prisma/migrations/postgresql" }, datasource: { url } }
    : {
        schema: "prisma/generated/sqlite.prisma",
        migrations: { path: "prisma/migrations/sqlite" },
        datasource: { url: `file:${process.env.DATA_DIR ?? "data"}/latchkey.db` },
      },
);
