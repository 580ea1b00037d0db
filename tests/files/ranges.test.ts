import { expect, test } from "vitest";
import { readFile } from "@/lib/files/read";
import { db } from "@/lib/platform/db/client";
import { bytesOf, idOf } from "@/tests/support/documents";
import { makeUser } from "@/tests/support/user";
import { fileEntry, importEntries } from "./stored";

const MB = 1024 * 1024;
const binary = Buffer.from(Array.from({ length: 2 * MB + 1 }, (_, n) => (n * 7 + (n >> 9)) % 256));
const words = (between: string) => `grüße\u{1F511}${between}`.repeat(90_000);

/** Data of files of several pieces; some have no fixed place for each byte, because it is written with escapes. */
const DATA: Record<string, string> = {
  bytes: `data:image/png;base64,${binary.toString("base64")}`,
  "bytes, one fewer": `data:image/png;base64,${binary.subarray(0, -1).toString("base64")}`,
  "bytes of a type with an escape": `data:"x";base64,${binary.toString("base64")}`,
  text: words(" "),
  "text with escapes": words('"\n'),
  "text that only looks like bytes": `data:x;base64,${"A".repeat(2 * MB)}=A`,
};

test.each(Object.entries(DATA))("every range of a content is what all of it has there: %s", async (_, data) => {
  const user = await makeUser();
  await importEntries(user, [fileEntry(user.username, 2, "big", data)]);
  const { bytes, length } = await readFile(user.id, idOf(2));
  const whole = await bytesOf(bytes());
  expect(whole.length).toBe(length);
  const ends = [0, 1, MB - 1, MB, MB + 1, MB + 2, MB + 3, length - 262_144, length - 4, length - 2, length - 1];
  for (const first of ends)
    for (const last of [first, first + 1, first + 2, first + 300_000, length - 1])
      if (last < length)
        expect((await bytesOf(bytes(first, last))).equals(whole.subarray(first, last + 1)), `${first}-${last}`).toBe(
          true,
        );
});

test("many ranges of a user that need what precedes them are read one after the other, and all correctly", async () => {
  const user = await makeUser();
  await importEntries(user, [fileEntry(user.username, 2, "big", DATA["text with escapes"])]);
  const { bytes, length } = await readFile(user.id, idOf(2));
  const ends = Array.from({ length: 20 }, (_, n) => length - 1 - n);
  const whole = await bytesOf(bytes());
  const read = await Promise.all(ends.map((first) => bytesOf(bytes(first, first))));
  expect(read.map(([byte]) => byte)).toEqual(ends.map((first) => whole[first]));
});

test("the end of a large file is found without what precedes it", async () => {
  const user = await makeUser();
  await importEntries(user, [fileEntry(user.username, 2, "big", DATA.bytes)]);
  const { bytes } = await readFile(user.id, idOf(2));
  const pieces = await db.filePiece.findMany({ where: { userId: user.id }, orderBy: { position: "asc" } });
  const between = pieces.filter(({ entries }) => entries === 0).slice(0, -2);
  expect(between.length).toBeGreaterThan(5);
  await db.fileContent.deleteMany({ where: { pieceId: { in: between.map(({ id }) => id) } } });
  expect((await bytesOf(bytes(2 * MB))).equals(binary.subarray(2 * MB))).toBe(true);
  await db.filePiece.deleteMany({ where: { userId: user.id } });
  await db.fileDocument.delete({ where: { userId: user.id } });
});

test("after a restore, another version of the same number has another tag", async () => {
  const user = await makeUser();
  await importEntries(user, [fileEntry(user.username, 2, "a.txt", "before")]);
  const { etag } = await readFile(user.id, idOf(2));
  expect((await readFile(user.id, idOf(2))).etag).toBe(etag);
  // As a backup from before, and a change after it, leave the rows.
  await db.fileVersion.updateMany({ where: { userId: user.id }, data: { etag: "of another import" } });
  expect((await readFile(user.id, idOf(2))).etag).not.toBe(etag);
});
