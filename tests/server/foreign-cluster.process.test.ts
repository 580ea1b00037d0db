import { expect, test } from "vitest";
import { runScript } from "@/tests/support/admin";

test("a worker of another program's cluster says what to do instead, and ends", async () => {
  const { status, stderr } = await runScript("tests/support/foreign-cluster.ts", [], {
    PATH: process.env.PATH,
    NODE_ENV: "test",
  });
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/^Another program, like pm2 [^\n]+ WEB_CONCURRENCY [^\n]+\.\n$/),
  ]);
});
