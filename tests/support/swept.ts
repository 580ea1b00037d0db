import { expect } from "vitest";
import { db } from "@/lib/db/client";

/** Checks that only the newest version is stored for a user. */
export async function expectSwept(userId: string): Promise<void> {
  const pieces = await db.filePiece.findMany({
    where: { userId },
    select: { bornVersion: true, retiredVersion: true, draftId: true },
  });
  expect(pieces.filter(({ bornVersion, retiredVersion }) => bornVersion === null || retiredVersion !== null)).toEqual(
    [],
  );
  expect(await db.fileContent.count({ where: { piece: { userId } } })).toBe(pieces.length);
  expect(await db.fileDraft.count({ where: { userId } })).toBe(0);
  expect(await db.fileVersion.count({ where: { userId } })).toBe(1);
}
