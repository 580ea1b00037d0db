import { afterAll, beforeAll, describe, test } from "vitest";
import { closeDatabase } from "@/lib/db/client";
import { env } from "@/lib/env";
import { survivesKillingWriters } from "@/tests/support/kill-writers";
import { type OwnDatabase, ownDatabase } from "@/tests/support/own-database";

describe.each(["sqlite", "postgresql"] as const)("On %s", (kind) => {
  let database: OwnDatabase;
  beforeAll(async () => {
    database = await ownDatabase(kind);
    const { environment } = database;
    // This process uses it, and so do those that it starts.
    Object.assign(process.env, environment);
    Object.assign(env, environment, { DATABASE_URL: environment.DATABASE_URL || undefined });
  });
  afterAll(async () => {
    await closeDatabase();
    await database.release();
  });

  test.each(["imports", "uploads"] as const)("a document outlives 20 times kill -9 during %s, whole", (what) =>
    survivesKillingWriters(what, 20),
  );
});
