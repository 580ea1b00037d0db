import { join } from "node:path";
import Database from "better-sqlite3";
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { sendTo } from "@/tests/support/request";
import { startService, type Target } from "@/tests/support/service";

/** Runs a statement of somebody else on the service's database. */
async function run({ DATABASE_URL, DATA_DIR }: Record<string, string>, statement: string): Promise<void> {
  if (DATABASE_URL) {
    const client = new Client(DATABASE_URL);
    await client.connect();
    await client.query(statement);
    await client.end();
  } else {
    const database = new Database(join(String(DATA_DIR), "latchkey.db"), { timeout: 10_000 });
    database.exec(statement);
    database.close();
  }
}

const TARGETS: Target[] = [
  { lane: "direct", database: "sqlite" },
  { lane: "next", database: "postgresql" },
];
test.for(TARGETS)(
  "a process answers 503 within a second once a newer version has changed what is stored ($lane, \
$database)",
  async (target) => {
    const service = await startService(target);
    onTestFinished(() => service.stop());
    const asked = async (path: string) => {
      const { status, text } = await sendTo(service.url, path, { headers: { Accept: "application/json" } });
      return [status, text] as const;
    };
    const statuses = () =>
      Promise.all(["/keys/check/nobody?key=1", "/me", "/link/code"].map(async (one) => (await asked(one))[0]));
    const before = await statuses();
    expect(before).not.toContain(503);

    await run(service.storage, `UPDATE "Format" SET "number" = "number" + 1`);
    await expect.poll(statuses, { timeout: 1_500, interval: 100 }).toEqual([503, 503, 503]);
    const [status, told] = await asked("/me");
    expect([status, told]).toEqual([503, expect.stringContaining("older than its database")]);
    await expect.poll(async () => (await asked("/ready"))[0], { timeout: 2_000 }).toBe(503);
    expect((await asked("/health"))[0]).toBe(200);

    await run(service.storage, `UPDATE "Format" SET "number" = "number" - 1`);
    await expect.poll(statuses, { timeout: 5_000, interval: 100 }).toEqual(before);
  },
);
