import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migratePostgres, migrateSqlite } from "@/lib/platform/db/migrate";
import { createDatabase } from "@/scripts/postgres";
import { acquirePostgres } from "./postgres";

export interface OwnDatabase {
  environment: Record<string, string>;
  release(): Promise<void>;
}

export async function ownDatabase(kind: "sqlite" | "postgresql"): Promise<OwnDatabase> {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-long-"));
  const common = { AUTH_SECRET: randomBytes(32).toString("base64"), LOG_LEVEL: "error", DATA_DIR: folder };
  const removeFolder = async () => rmSync(folder, { recursive: true });
  if (kind === "sqlite") {
    await migrateSqlite(join(folder, "latchkey.db"));
    return { environment: { ...common, DATABASE_URL: "" }, release: removeFolder };
  }
  const server = await acquirePostgres();
  const url = await createDatabase(server.url, `latchkey_long_${randomBytes(6).toString("hex")}`);
  await migratePostgres({ connectionString: url });
  return {
    environment: { ...common, DATABASE_URL: url },
    release: async () => {
      await server.release();
      await removeFolder();
    },
  };
}
