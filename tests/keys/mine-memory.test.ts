import { expect, test } from "vitest";
import { runScript } from "@/tests/support/admin";
import { makeUser } from "@/tests/support/user";
import { makeKeys } from "./keys";

// The most data that a user's keys can have, spread over the most keys.
test("/keys/mine answers 10,000 keys with 16 MB of data while the process grows by less than 100 MB", async () => {
  const user = await makeUser();
  await makeKeys(user, user, { count: 10_000, data: "é".repeat(800) });
  const { stdout } = await runScript("tests/support/ask-mine.ts", [user.token], process.env);
  const measured = JSON.parse(stdout);
  expect(measured.keys).toBe(10_000);
  expect(measured.bytes).toBeGreaterThan(16_000_000);
  expect(measured.grownBytes).toBeLessThan(100_000_000);
});
