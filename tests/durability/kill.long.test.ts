import { expect, test } from "vitest";
import { survivesKilling } from "@/tests/support/kill-rounds";

test.each(["sqlite", "postgresql"] as const)(
  "on %s every change that was acknowledged outlives 50 times kill -9 in the middle of a burst",
  async (database) => {
    expect(await survivesKilling(database, 50)).toBeGreaterThanOrEqual(1_500);
  },
);
