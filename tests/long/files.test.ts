import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { applyTo } from "@/lib/db/migrate";
import { sqlite } from "@/lib/db/sqlite";
import { createDatabase } from "@/scripts/postgres";
import { acquirePostgres } from "../support/postgres";
import { storeElsewhere } from "../support/storing";

const GB = 1_000_000_000;
const MOST_GROWTH = 64_000_000;
const common = { AUTH_SECRET: randomBytes(32).toString("base64"), LOG_LEVEL: "error" };

describe.each(["sqlite", "postgresql"] as const)("A document of 1 GB on %s comes back byte for byte, within 64 MB of memory", (kind) => {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-long-"));
  let environment: Record<string, string>;
  let release = async () => {};

  beforeAll(async () => {
    if (kind === "sqlite") {
      await applyTo("sqlite", sqlite(join(folder, "latchkey.db")));
      environment = { ...common, DATA_DIR: folder, DATABASE_URL: "" };
    } else {
      const server = await acquirePostgres();
      release = server.release;
      const url = await createDatabase(server.url, `latchkey_long_${randomBytes(6).toString("hex")}`);
      await applyTo("postgresql", new PrismaPg({ connectionString: url }));
      environment = { ...common, DATA_DIR: folder, DATABASE_URL: url };
    }
  });
  afterAll(async () => {
    await release();
    rmSync(folder, { recursive: true });
  });

  test.each([
    ["many", 1_000_001],
    ["few", 4],
  ] as const)("of %s entries", async (shape, expected) => {
    const { entries, hashes, growth, speed } = await storeElsewhere(shape, GB, environment);
    process.stdout.write(`1 GB, ${entries} entries, ${kind}: MB/s ${JSON.stringify(speed)}, growth ${JSON.stringify(growth)}\n`);
    expect(entries).toBe(expected);
    expect([hashes.plain, hashes.gzip]).toEqual([hashes.sent, hashes.sent]);
    for (const grown of Object.values(growth)) expect(grown).toBeLessThan(MOST_GROWTH);
  });
});
