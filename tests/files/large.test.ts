import { expect, test } from "vitest";
import { storeAndRead } from "@/tests/support/store-document";

const MAX_GROWTH = 6_000_000;

test.each([
  ["few", 12_000_000],
  ["late", 7_000_000],
] as const)(
  "a document of %s entries comes back byte for byte, and is never in memory as a whole",
  async (shape, bytes) => {
    const { hashes, growth } = await storeAndRead(shape, bytes);
    expect([hashes.gzip, hashes.selected]).toEqual([hashes.plain, hashes.plain]);
    // What comes before its folder is put behind it.
    if (shape === "few") expect(hashes.plain).toBe(hashes.sent);
    expect(Math.max(growth.store, growth.read, growth.select)).toBeLessThan(MAX_GROWTH);
    expect(growth.readEightAtOnce).toBeLessThan(4 * MAX_GROWTH);
  },
);
