import { expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { later } from "@/lib/hours";
import { beginExamination, lastExamination } from "@/lib/operator/examination";
import { makeUser, makeUsers } from "@/tests/support/user";

const ended = () => expect.poll(async () => (await lastExamination())?.state).toBe("ended");
const begun = (actorId: string) => db.auditEvent.count({ where: { action: "doctor.run", actorId } });

test("the doctor works in the background, once at a time, and what it found stays", async () => {
  expect(await lastExamination()).toBeNull();
  const admin = await makeUser({ role: "admin" });
  const broken = await makeUsers(3, { tokenSealed: "broken" });
  await Promise.all(Array.from({ length: 5 }, () => beginExamination(admin.id)));
  expect(await begun(admin.id)).toBe(1);
  await ended();
  const found = await lastExamination();
  expect(found?.findings.filter(({ check }) => check === "tokens")).toHaveLength(3);
  await db.user.deleteMany({ where: { id: { in: broken.map(({ id }) => id) } } });
  await beginExamination(admin.id);
  await ended();
  expect(await begun(admin.id)).toBe(2);
  expect((await lastExamination())?.findings.filter(({ check }) => check === "tokens")).toEqual([]);
});

test("an examination whose process ended is interrupted, and another one may begin", async () => {
  const admin = await makeUser({ role: "admin" });
  const long = later(new Date(), -60_000);
  const row = { startedAt: long, refreshedAt: long, endedAt: null, findings: "[]" };
  await db.examination.upsert({ where: { id: "doctor" }, create: { id: "doctor", ...row }, update: row });
  expect((await lastExamination())?.state).toBe("interrupted");
  await beginExamination(admin.id);
  expect(await begun(admin.id)).toBe(1);
  await ended();
});
