import { expect, test } from "vitest";
import { survivesKilling } from "@/tests/support/kill-rounds";

test.each(["sqlite", "postgresql"] as const)("on %s every create that was answered outlives 50 times kill -9 in the middle of a burst", async (database) => {
  expect(await survivesKilling(database, 50)).toBeGreaterThan(500);
});
