import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, inject, test } from "vitest";
import { env } from "@/lib/platform/env";

const PROVIDERS = ["sqlite", "postgresql"] as const;
const TSX = pathToFileURL(resolve("node_modules/tsx/dist/loader.mjs")).href;

/** A copy of the prisma folder, whose models are changed, whose migrations are written and checked. */
function copyOfPrisma() {
  const folder = mkdtempSync(join(env.DATA_DIR, "prisma-"));
  cpSync("prisma", join(folder, "prisma"), { recursive: true });
  const migrations = (provider: string) => join(folder, "prisma/migrations", provider);
  const run = (...parameters: string[]) => {
    const database = inject("database");
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ["--import", TSX, resolve("scripts/migration.ts"), ...parameters],
      {
        cwd: folder,
        encoding: "utf8",
        env: {
          ...process.env,
          TSX_TSCONFIG_PATH: resolve("tsconfig.json"),
          TEST_DATABASE_URL: database.kind === "postgresql" ? database.server : undefined,
        },
      },
    );
    return { status, said: stdout + stderr };
  };
  return {
    run,
    change(from: string, to: string) {
      for (const name of ["schema.prisma", "generated/sqlite.prisma"]) {
        const file = join(folder, "prisma", name);
        const models = readFileSync(file, "utf8");
        expect(models).toContain(from);
        writeFileSync(file, models.replace(from, to));
      }
    },
    /** Writes a migration by hand. */
    write(provider: string, name: string, sql: string) {
      mkdirSync(join(migrations(provider), name));
      writeFileSync(join(migrations(provider), name, "migration.sql"), sql);
    },
    names: (provider: string) => readdirSync(migrations(provider)),
    /** Has the migrations of this name written, and returns their SQL. */
    create(name: string) {
      expect(run("create", name)).toMatchObject({ status: 0 });
      return PROVIDERS.map((provider) => {
        const [its = "none"] = readdirSync(migrations(provider)).filter((found) => found.endsWith(`_${name}`));
        return readFileSync(join(migrations(provider), its, "migration.sql"), "utf8");
      });
    },
  };
}

test("columns with a constant default are added, and a table that is rebuilt keeps its hand-written index", () => {
  const copy = copyOfPrisma();
  copy.change(
    "model Key {",
    'model Key {\n  note String @default("a (b)")\n  noted Int? @default(5)\n  @@index([note])',
  );
  const [added] = copy.create("note");
  expect(added).toBe(`-- AlterTable
ALTER TABLE "Key" ADD COLUMN "note" TEXT NOT NULL DEFAULT 'a (b)';
ALTER TABLE "Key" ADD COLUMN "noted" INTEGER DEFAULT 5;

-- CreateIndex
CREATE INDEX "Key_note_idx" ON "Key"("note");
`);

  copy.change("model Key {", "model Key {\n  seenAt DateTime @default(now())");
  const [rebuilt, altered] = copy.create("seen_at");
  expect(rebuilt).toContain('DROP TABLE "Key"');
  expect(rebuilt).toContain('CREATE INDEX "Key_by_name" ON "Key"(COALESCE("nameKey", lower("name")), "id");');
  expect(altered).not.toContain("INDEX");
  expect(copy.run("check")).toMatchObject({ status: 0 });
});

test("a change that would lose a hand-written index is refused, until a migration drops it", () => {
  const copy = copyOfPrisma();
  const before = PROVIDERS.map(copy.names);
  copy.change("  name      String\n  /// The name as", "  /// The name as");
  const { status, said } = copy.run("create", "nameless");
  expect(status).toBe(1);
  expect(said).toContain(
    'this change would lose the index "Key_by_name" on "Key" (nameKey, name, id), which was written by hand',
  );
  expect(said).toContain('DROP INDEX "Key_by_name";');
  expect(PROVIDERS.map(copy.names)).toEqual(before);

  for (const provider of PROVIDERS)
    copy.write(provider, "20300101000000_by_hand", 'DROP INDEX "Key_by_name"; DROP INDEX "Key_to_fold";');
  const [rebuilt] = copy.create("nameless");
  expect(rebuilt).not.toContain("Key_by_name");
});

test("the check names an index that only one database has, and one of the models that is missing", () => {
  const copy = copyOfPrisma();
  copy.write("sqlite", "20300101000000_by_hand", 'DROP INDEX "Key_by_name"; DROP INDEX "Key_createdAt_id_idx";');
  copy.write("postgresql", "20300101000000_by_hand", "SELECT 1;");
  const { status, said } = copy.run("check");
  expect(status).toBe(1);
  expect(said).toContain('CREATE INDEX "Key_createdAt_id_idx"');
  expect(said).toContain(
    'postgresql: its migrations alone create the index "Key_by_name" on "Key" (nameKey, name, id).',
  );
});
