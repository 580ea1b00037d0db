import { test } from "vitest";
import { sized } from "@/tests/support/size";
import { survivesKillingWriters } from "../support/kill-writers";

test.each(["imports", "uploads"] as const)(
  "A process that is killed during %s leaves the old document or a new one, and the sweep removes the rest",
  { timeout: 180_000 },
  async (what) => {
    await survivesKillingWriters(what, sized(1, 3));
  },
);
