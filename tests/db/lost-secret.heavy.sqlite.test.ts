import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { operatorOnEmptyDatabase } from "@/tests/support/operator-on-empty-database";

test("no second secret is created if the first is missing", async () => {
  const { admin, database } = await operatorOnEmptyDatabase();
  await admin(undefined, "user:create", "alice");
  rmSync(join(database.DATA_DIR, "secret"));
  expect(await admin(undefined, "user:token", "alice")).toEqual({
    refused: expect.stringMatching(/^The secret [^\n]+secret is missing, [^\n]+\n$/),
  });
  expect(await admin(undefined, "secrets:rotate", "--lost")).toEqual({ users: 1, newTokens: 1, dataKeys: 0 });
});
