import { expect, test } from "vitest";
import { isSettled } from "@/lib/files/read";
import { OPERATOR } from "@/lib/platform/audit";
import { db } from "@/lib/platform/db/client";
import { newId } from "@/lib/platform/ids";

const HOUR = 3_600_000;

test("a version that a restore brought back in place of a later one is settled a day after the restore", async () => {
  const restoredAt = Date.now() - 240 * HOUR;
  await db.auditEvent.create({
    data: { at: new Date(restoredAt), action: "backup.restore", subjectId: "backup", actorId: OPERATOR, detail: "{}" },
  });
  const version = { userId: newId(), publishedAt: new Date(restoredAt - 100 * HOUR) };
  expect(await isSettled(version, restoredAt + 23 * HOUR)).toBe(false);
  expect(await isSettled(version, restoredAt + 24 * HOUR)).toBe(true);
});
