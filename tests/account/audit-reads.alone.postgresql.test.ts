import { expect, test } from "vitest";
import { type EventOrder, events } from "@/lib/operator/audit/queries";
import { db, sql } from "@/lib/platform/db/client";
import { RowShape, SqlQuery } from "@/lib/platform/db/statement";
import { newId } from "@/lib/platform/ids";

const MANY = 30_000;

/** How many pages of 8 KB the database looks at for a query. */
async function pagesFor({ strings: [first, ...others], values }: SqlQuery<unknown>): Promise<number> {
  const explained = new SqlQuery(
    { strings: [`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${first}`, ...others], values, isFixed: false },
    new RowShape<{ "QUERY PLAN": [{ Plan: Record<string, number> }] }>({}, {}),
  );
  const [answer] = await sql.read(explained);
  const plan = answer?.["QUERY PLAN"][0].Plan;
  return (plan?.["Shared Hit Blocks"] ?? 0) + (plan?.["Shared Read Blocks"] ?? 0);
}

test.each(["newest first", "oldest first"] as const)(
  "a step reads no more of an index than it asks for, %s",
  async (order: EventOrder) => {
    const actorId = newId();
    for (let n = 1; n < MANY; n += 5_000)
      await db.$executeRaw`INSERT INTO "AuditEvent" ("at", "action", "subjectId", "actorId", "detail")
      SELECT now(), 'key.update', 'k' || n, ${actorId}, '{}' FROM generate_series(${n}::int, ${n}::int + 4999) AS n`;
    await db.$executeRawUnsafe('VACUUM ANALYZE "AuditEvent"');
    const by = { column: "actorId", value: actorId } as const;
    const from = order === "newest first" ? Number.MAX_SAFE_INTEGER : 0;
    expect(await pagesFor(events(by, { from, order, limit: 50 }))).toBeLessThan(70);
  },
);
