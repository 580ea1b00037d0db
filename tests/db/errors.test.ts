import { describe, expect, test } from "vitest";
import { db, transaction } from "@/lib/db/client";
import {
  isMissingReference,
  isNotMigrated,
  isStorageFull,
  isUnavailable,
  isUniqueViolation,
  isWriteConflict,
} from "@/lib/db/errors";
import { newId } from "@/lib/ids";
import { makeUser } from "@/tests/support/user";

const RECOGNISERS = {
  isUniqueViolation,
  isMissingReference,
  isWriteConflict,
  isStorageFull,
  isUnavailable,
  isNotMigrated,
};

/** The names of the functions of lib/db/errors.ts that recognise what `work` throws. */
async function recognised(work: Promise<unknown>): Promise<string[]> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Error);
  return Object.entries(RECOGNISERS).flatMap(([name, recognises]) => (recognises(error) ? [name] : []));
}

const session = (userId: string, id = newId()) => ({
  id,
  userId,
  createdAt: new Date(),
  expiresAt: new Date(),
  userAgent: "",
});

describe("a value that exists already", () => {
  test("is recognised in a model call, in raw SQL and in a transaction", async () => {
    const { id } = await makeUser();
    const row = session(id);
    await db.session.create({ data: row });
    expect(await recognised(db.session.create({ data: row }))).toEqual(["isUniqueViolation"]);
    expect(await recognised(transaction((tx) => tx.session.create({ data: row })))).toEqual(["isUniqueViolation"]);
    expect(
      await recognised(
        db.$executeRaw`INSERT INTO "Session" ("id", "userId", "createdAt", "expiresAt", "userAgent")
          VALUES (${row.id}, ${id}, ${row.createdAt}, ${row.expiresAt}, '')`,
      ),
    ).toEqual(["isUniqueViolation"]);
  });
});

describe("a row that points to nobody", () => {
  test("is recognised in a model call, in raw SQL and in a transaction", async () => {
    const row = session(newId());
    expect(await recognised(db.session.create({ data: row }))).toEqual(["isMissingReference"]);
    expect(await recognised(transaction((tx) => tx.session.create({ data: row })))).toEqual(["isMissingReference"]);
    expect(
      await recognised(
        db.$executeRaw`INSERT INTO "Session" ("id", "userId", "createdAt", "expiresAt", "userAgent")
          VALUES (${row.id}, ${row.userId}, ${row.createdAt}, ${row.expiresAt}, '')`,
      ),
    ).toEqual(["isMissingReference"]);
  });
});

test("an error of our own is none of these", async () => {
  expect(await recognised(db.$queryRaw`SELECT "nothing" FROM "User"`)).toEqual([]);
  expect(await recognised(db.user.update({ where: { id: newId() }, data: { role: "admin" } }))).toEqual([]);
});
