import { expect, test } from "vitest";
import type { Report } from "../support/store-document";
import { storeElsewhere } from "../support/storing";

/** Contract, section 3: memory. */
const MOST_WHILE_READ = 64_000_000;
/** An import leaves more behind than a busy machine's garbage collector keeps up with: 18 to 93 MB were seen. Held in memory, a document would take 300 MB. */
const MOST_WHILE_STORED = 128_000_000;

function expectLittle({ store, read, readEightAtOnce }: Report["growth"]): void {
  expect(store).toBeLessThan(MOST_WHILE_STORED);
  expect(read).toBeLessThan(MOST_WHILE_READ);
  expect(readEightAtOnce).toBeLessThan(MOST_WHILE_READ);
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

test("A document of 100 MB whose entries all come before their folders is put in order within the memory that it may take", { timeout: 900_000 }, async () => {
  const { entries, hashes, growth } = await storeElsewhere("late", 100_000_000);
  expect(entries).toBeGreaterThan(300_000);
  expect(hashes.gzip).toBe(hashes.plain);
  expectLittle(growth);
});
