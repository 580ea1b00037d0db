import { describe, expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { makeUser } from "@/tests/support/user";

describe("what is stored comes back", () => {
  test("times, to the millisecond", async () => {
    const user = await makeUser();
    for (const iso of ["1970-01-01T00:00:00.000Z", "2026-11-20T10:00:00.001Z", "2038-01-19T03:14:08.999Z", "9999-12-31T23:59:59.999Z"]) {
      await db.user.update({ where: { id: user.id }, data: { disabledAt: new Date(iso) } });
      const { disabledAt } = await db.user.findUniqueOrThrow({ where: { id: user.id } });
      expect(disabledAt?.toISOString()).toBe(iso);
    }
  });
});
