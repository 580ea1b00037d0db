import { expect, inject, test } from "vitest";
import { survivesKilling } from "@/tests/support/kill-rounds";
import { sized } from "@/tests/support/size";

const ROUNDS = sized(1, 5);

test("every change that was acknowledged outlives kill -9 again and again in the middle of a burst", async () => {
  expect(await survivesKilling(inject("target").database, ROUNDS)).toBeGreaterThanOrEqual(30 * ROUNDS);
});
