import type { PoolClient } from "pg";
import { expect, test } from "vitest";
import { auditEvents } from "@/lib/audit";
import { db, postgresPool, sql } from "@/lib/db/client";
import { isMissingReference, isUniqueViolation } from "@/lib/db/errors";
import { insert } from "@/lib/db/insert";
import { integer, rowShape } from "@/lib/db/statement";
import { newId } from "@/lib/ids";
import { makeUser, newSession } from "@/tests/support/user";

const named = rowShape({ u: "User" }, { role: "u.role" });
const setRole = (id: string, role: string) => named.returning`UPDATE "User" SET "role" = ${role} WHERE "id" = ${id}`;
const roleOf = (id: string) => named.from`"User" u WHERE u."id" = ${id}`;
const quotient = rowShape({}, { quotient: integer("1 / count(*)") });
/** Fails if there is no such user. */
const dividedBy = (id: string) => quotient.from`"User" u WHERE u."id" = ${id}`;
const event = (id: string) => auditEvents({ at: new Date(), action: "user.role", subjectId: id, actorId: null });
const events = (id: string) => db.auditEvent.count({ where: { subjectId: id } });
test("what is read after a change is as the change left it", async () => {
  const { id } = await makeUser();
  for (const role of ["a", "b", "c"])
    expect(await sql.batchThenRead([setRole(id, role), event(id)], roleOf(id))).toEqual({
      written: [{ role }],
      found: [{ role }],
    });
  expect(await events(id)).toBe(3);
  const nobody = newId();
  expect(await sql.batchThenRead([setRole(nobody, "a"), event(nobody)], roleOf(id))).toEqual({
    written: [],
    found: [],
  });
  expect(await events(nobody)).toBe(0);
});

test("a failure of either undoes both, and the connection works on", async () => {
  const { id } = await makeUser({ role: "user" });
  for (let attempt = 0; attempt < 3; attempt++) {
    // The first attempt prepares the statements on its connection, the next ones use them.
    const missing = insert("Session", newSession(newId()));
    await expect(sql.batchThenRead([setRole(id, "a"), missing], roleOf(id))).rejects.toSatisfy(isMissingReference);
    await expect(sql.batchThenRead([setRole(id, "a"), event(id)], dividedBy(newId()))).rejects.toThrow("by zero");
    expect(await sql.read(roleOf(id))).toEqual([{ role: "user" }]);
  }
  expect(await events(id)).toBe(0);
  expect((await sql.batchThenRead([setRole(id, "b"), event(id)], dividedBy(id))).found).toEqual([{ quotient: 1 }]);
});

test("a row that is refused does not cost the connection", async () => {
  const pool = postgresPool();
  const { id } = await makeUser();
  const taken = newSession(id);
  await sql.batch([insert("Session", taken)]);
  // Connections of earlier tests may end at any moment: they were idle for long enough.
  const used = new Set<PoolClient>();
  let removed = 0;
  const use = (client: PoolClient) => used.add(client);
  const count = (client: PoolClient) => used.has(client) && removed++;
  pool?.on("acquire", use).on("remove", count);
  for (let attempt = 0; attempt < 5; attempt++)
    await expect(sql.batch([insert("Session", taken)])).rejects.toSatisfy(isUniqueViolation);
  pool?.off("acquire", use).off("remove", count);
  expect([used.size > 0, removed]).toEqual([true, 0]);
});
