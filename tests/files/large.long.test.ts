import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeDatabase } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { zipOf } from "@/lib/platform/zip";
import { type OwnDatabase, ownDatabase } from "@/tests/support/databases";
import { storeAndRead } from "@/tests/support/store-document";
import { streamed } from "@/tests/support/unzip";

const GB = 1_000_000_000;
/** Contract, section 3: memory. */
const MAX_GROWTH = 64_000_000;
/** What the process holds beside what is in use depends on the engine and the database, but not on the document. */
const MAX_HELD = GB / 4;

describe.each(["sqlite", "postgresql"] as const)("on %s", (kind) => {
  let database: OwnDatabase;
  beforeAll(async () => {
    database = await ownDatabase(kind);
    Object.assign(process.env, database.environment);
    Object.assign(env, database.environment, { DATABASE_URL: database.environment.DATABASE_URL || undefined });
  });
  afterAll(async () => {
    await closeDatabase();
    await database.release();
  });

  test.each([
    ["many", GB, 1_000_001],
    ["few", GB, 4],
    ["late", GB / 10, 333_337],
  ] as const)(
    "a document of %s entries and %i bytes comes back byte for byte, within 64 MB of memory",
    async (shape, bytes, expected) => {
      const held = process.memoryUsage.rss();
      const { entries, hashes, growth } = await storeAndRead(shape, bytes);
      expect(process.memoryUsage.rss() - held).toBeLessThan(MAX_HELD);
      expect([entries, hashes.gzip, hashes.selected]).toEqual([expected, hashes.plain, hashes.plain]);
      if (shape !== "late") expect(hashes.plain).toBe(hashes.sent);
      for (const grown of Object.values(growth)) expect(grown).toBeLessThan(MAX_GROWTH);
    },
  );
});

const ZEROS = Buffer.alloc(1_000_000);

test("an entry of 5 GB and what follows it are read from a stream", async () => {
  async function* bytes(length: number) {
    for (let sent = 0; sent < length; sent += ZEROS.length) yield ZEROS;
  }
  async function* parts() {
    yield { path: "large.bin", bytes: bytes(5_000_000_000), size: 5_000_000_000 };
    yield { path: "after.bin", bytes: bytes(1_000_000), size: 1_000_000 };
  }
  expect(await streamed(zipOf(parts()))).toEqual([
    ["large.bin", 5_000_000_000, true],
    ["after.bin", 1_000_000, false],
  ]);
});
