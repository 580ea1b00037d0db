import { expect, inject, test } from "vitest";
import { survivesKilling } from "@/tests/support/kill-rounds";

test("every change that was acknowledged outlives five times kill -9 in the middle of a burst", { timeout: 300_000 }, async () => {
  expect(await survivesKilling(inject("target").database, 5)).toBeGreaterThanOrEqual(150);
});
