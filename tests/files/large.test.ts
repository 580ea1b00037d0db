import { expect, test } from "vitest";
import { storeElsewhere } from "../support/storing";

const MOST_GROWTH = 64_000_000;

test.each([
  ["many", 1_000_000],
  ["few", 1_000_000],
  ["many", 100_000_000],
  ["few", 100_000_000],
] as const)("A document of %s entries and %i bytes comes back byte for byte, within 64 MB of memory", { timeout: 180_000 }, async (shape, bytes) => {
  const { hashes, growth } = await storeElsewhere(shape, bytes);
  expect(hashes.plain).toBe(hashes.sent);
  expect(hashes.gzip).toBe(hashes.sent);
  for (const grown of Object.values(growth)) expect(grown).toBeLessThan(MOST_GROWTH);
});
