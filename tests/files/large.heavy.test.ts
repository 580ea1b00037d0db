import { expect, test } from "vitest";
import type { Report } from "../support/store-document";
import { storeElsewhere } from "../support/storing";

/** Contract, section 3: memory. */
const MOST_GROWTH = 64_000_000;

function expectLittle(growth: Report["growth"]): void {
  for (const grown of Object.values(growth)) expect(grown).toBeLessThan(MOST_GROWTH);
}

test.each([
  ["many", 1_000_000],
  ["few", 1_000_000],
  ["many", 100_000_000],
  ["few", 100_000_000],
] as const)(
  "A document of %s entries and %i bytes comes back byte for byte, within the memory that it may take",
  { timeout: 180_000 },
  async (shape, bytes) => {
    const { hashes, growth } = await storeElsewhere(shape, bytes);
    expect(hashes.plain).toBe(hashes.sent);
    expect(hashes.gzip).toBe(hashes.sent);
    expectLittle(growth);
  },
);

test("A document of 100 MB whose entries all come before their folders is put in order within the memory " +
  "that it may take", {
  timeout: 900_000,
}, async () => {
  const { entries, hashes, growth } = await storeElsewhere("late", 100_000_000);
  expect(entries).toBeGreaterThan(300_000);
  expect(hashes.gzip).toBe(hashes.plain);
  expectLittle(growth);
});
