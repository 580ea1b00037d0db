import { describe, expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { newUsername } from "@/tests/support/user";
import { admin, answer } from "./command";

const dayOf = (time: Date) => time.toISOString().slice(0, 10);

describe("stats", () => {
  test("prints the last days with what is stored, and what the sweep would have counted", async () => {
    await answer(["user:create", newUsername()]);
    // As if it were over for long enough: yesterday, where a day has just begun.
    const at = new Date(Date.now() - 5 * 60_000);
    await db.auditEvent.updateMany({ where: { action: "user.create" }, data: { at } });
    const before = dayOf(new Date());
    const { countedAt, days } = (await answer(["stats", "--days", "3"])) as {
      countedAt: string;
      days: Record<string, unknown>[];
    };
    expect(Date.now() - Date.parse(countedAt)).toBeLessThan(5 * 60_000);
    expect(days).toHaveLength(3);
    expect(days[2]).toMatchObject({ refusals: {}, asked: 0 });
    expect([before, dayOf(new Date())]).toContain(days[2]?.day);
    expect(days[2]?.users).toBeGreaterThan(0);
    expect(days.find(({ day }) => day === dayOf(at))?.signUps).toBeGreaterThan(0);
    expect(days[0]).toMatchObject({ users: null, signUps: 0 });
  });

  test.each(["0", "3661", "-1", "ten", "1.5"])("refuses %s days", async (days) => {
    const { status, stderr } = await admin(["stats", `--days=${days}`]);
    expect([status, stderr]).toEqual([2, expect.stringContaining("a whole number from 1 to 3660")]);
  });
});
