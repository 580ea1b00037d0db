import { expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { exportDocument } from "@/lib/files/export";
import { importDocument } from "@/lib/files/import";
import { openDocument, plainText } from "@/lib/files/read-document";
import { renameEntry } from "@/lib/files/rename";
import { chunks, idOf, root, textOf, values } from "../support/documents";
import { expectIndexed } from "../support/indexed";
import { makeUser } from "../support/user";

const FILES = 3_000;
const FOLDER = idOf(2);

/** Puts the pieces of the user's document so close that there is no room between any two. */
async function crowd(userId: string): Promise<number> {
  const pieces = await db.filePiece.findMany({
    where: { userId, retiredVersion: null },
    orderBy: { position: "asc" },
    select: { id: true },
  });
  for (const [n, { id }] of pieces.entries())
    await db.filePiece.update({ where: { id }, data: { position: BigInt(n + 1) } });
  return pieces.length;
}

test(
  "Where there is no room left between pieces, those behind make room: nothing is lost, and who reads " +
    "the old version gets it whole",
  async () => {
    const user = await makeUser();
    const home = `origin/(c) users/${user.username}`;
    const folder = values({ type: ".folder", name: "f", location: home, data: [], id: FOLDER });
    const files = Array.from({ length: FILES }, (_, n) =>
      values({ type: ".txt", name: `${n}`, location: `${home}/f`, data: `${n} `.repeat(30), id: idOf(n + 3) }),
    );
    await importDocument(
      user,
      chunks(JSON.stringify([...values(root(user.username, [FOLDER])), ...folder, ...files.flat()])),
    );
    // Every name that is longer makes two pieces of most.
    for (const name of ["l".repeat(250), "short"]) {
      const count = await crowd(user.id);
      const before = await textOf(await exportDocument(user.id));
      const old = plainText(await openDocument(user.id));
      await renameEntry(user, FOLDER, name);

      expect(await textOf(old)).toBe(before);
      const after: unknown[] = JSON.parse(await textOf(await exportDocument(user.id)));
      expect(after.filter((_, n) => n % 14 === 1).slice(1)).toEqual([name, ...files.map((file) => file[1])]);
      expect(new Set(after.filter((_, n) => n % 14 === 2).slice(2))).toEqual(new Set([`${home}/${name}`]));
      await expectIndexed(user.id);
      const places = await db.filePiece.findMany({
        where: { userId: user.id, retiredVersion: null },
        select: { position: true },
      });
      expect(new Set(places.map(({ position }) => position)).size).toBe(places.length);
      expect(places.length).toBeGreaterThanOrEqual(name === "short" ? count : count + 3);
    }
  },
);
