import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OwnDatabase, ownDatabase } from "@/tests/support/own-database";
import { storeElsewhere } from "@/tests/support/storing";

const GB = 1_000_000_000;
const MOST_GROWTH = 64_000_000;

describe.each(["sqlite", "postgresql"] as const)(
  "A document of 1 GB on %s comes back byte for byte, within 64 MB of memory",
  (kind) => {
    let database: OwnDatabase;
    beforeAll(async () => {
      database = await ownDatabase(kind);
    });
    afterAll(() => database.release());

    test.each([
      ["many", 1_000_001],
      ["few", 4],
    ] as const)("of %s entries", async (shape, expected) => {
      const { entries, hashes, growth, speed } = await storeElsewhere(shape, GB, database.environment);
      process.stdout.write(
        `1 GB, ${entries} entries, ${kind}: MB/s ${JSON.stringify(speed)}, growth ${JSON.stringify(growth)}\n`,
      );
      expect(entries).toBe(expected);
      expect([hashes.plain, hashes.gzip]).toEqual([hashes.sent, hashes.sent]);
      for (const grown of Object.values(growth)) expect(grown).toBeLessThan(MOST_GROWTH);
    });
  },
);
