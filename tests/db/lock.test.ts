import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { db, sqliteFile, transaction } from "@/lib/platform/db/client";
import { newId } from "@/lib/platform/ids";
import { makeUser } from "@/tests/support/user";

// That they are refused after five seconds: tests/durability/slow.test.ts.
test("while another has the write lock reads go on, and a write and a transaction wait and happen whole", async () => {
  const { id } = await makeUser();
  const other = new Database(sqliteFile());
  other.exec("BEGIN IMMEDIATE");
  let isWritten = false;
  const event = { at: new Date(), action: "key.create", subjectId: newId(), actorId: null, detail: "{}" };
  const waiting = Promise.all([
    db.auditEvent.create({ data: event }),
    transaction(async (tx) => {
      await tx.user.update({ where: { id }, data: { role: "admin" } });
      return tx.user.findUniqueOrThrow({ where: { id } });
    }),
  ]).finally(() => {
    isWritten = true;
  });
  // A write that blocked the event loop would be refused: only this, further on, gives the lock back.
  await sleep(500);
  expect((await db.user.findUnique({ where: { id } }))?.role).toBe("user");
  expect(isWritten).toBe(false);
  other.exec("COMMIT");
  other.close();
  expect((await waiting)[1].role).toBe("admin");
  expect(await db.auditEvent.count({ where: { subjectId: event.subjectId } })).toBe(1);
});
