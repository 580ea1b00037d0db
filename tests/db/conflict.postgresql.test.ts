import { expect, test } from "vitest";
import { db, transaction } from "@/lib/db/client";
import { isWriteConflict } from "@/lib/db/errors";
import { makeUser } from "@/tests/support/user";

/** Resolves once `parties` have arrived: the first time only, so that a repeated transaction does not wait for ever. */
function meeting(parties: number): () => Promise<void> {
  let arrived = 0;
  let open: () => void;
  const all = new Promise<void>((resolve) => {
    open = resolve;
  });
  return () => {
    if (++arrived === parties) open();
    return all;
  };
}

test("of two transactions that lock each other out, the refused one is run again and both happen", async () => {
  const [one, other] = [await makeUser(), await makeUser()];
  const meet = meeting(2);
  let attempts = 0;
  const inOrder = (ids: string[], role: string) =>
    transaction(async (tx) => {
      attempts++;
      for (const id of ids) {
        await tx.user.update({ where: { id }, data: { role } });
        await meet();
      }
    });
  await Promise.all([inOrder([one.id, other.id], "first"), inOrder([other.id, one.id], "second")]);
  // The refused one may come back so soon that it is refused once more.
  expect(attempts).toBeGreaterThan(2);
  const roles = await db.user.findMany({ where: { id: { in: [one.id, other.id] } }, select: { role: true } });
  expect(new Set(roles.map(({ role }) => role)).size).toBe(1);
});

test("a conflict that does not end is thrown after ten attempts", async () => {
  let attempts = 0;
  const work = transaction(async (tx) => {
    attempts++;
    await tx.$executeRaw`DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END $$`;
  });
  const error = await work.catch((thrown: unknown) => thrown);
  expect(isWriteConflict(error)).toBe(true);
  expect(attempts).toBe(10);
});
