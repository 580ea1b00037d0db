import { expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { problemOf } from "@/lib/files/check";
import { importDocument } from "@/lib/files/import";
import { gzipText, openDocument, plainText } from "@/lib/files/read-document";
import { chunks, smallDocument } from "../support/documents";
import { piecesOf } from "../support/sealed-pieces";
import { makeUser, type TestUser } from "../support/user";

/** Four pieces each: a thousand times, one of them has a flipped bit in one of its columns. */
const USERS = 20;
const LENGTH = 500_000;

interface Owner {
  user: TestUser;
  text: string;
  gzip: Buffer;
}

async function bytesOf(source: AsyncIterable<Uint8Array>): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const parts: Uint8Array[] = [];
  let isWhole = true;
  try {
    for await (const part of source) parts.push(part);
  } catch {
    isWhole = false;
  }
  return { bytes: Buffer.concat(parts), isWhole };
}

async function owner(n: number): Promise<Owner> {
  const user = await makeUser();
  const text = JSON.stringify(smallDocument(user.username, `${n} `.repeat(LENGTH / 2)));
  await importDocument(user, chunks(text));
  const { bytes } = await bytesOf(gzipText(await openDocument(user.id)));
  return { user, text, gzip: bytes };
}

/** Reads it in both forms: a reader gets the right bytes, or is cut off before the first wrong one. */
async function isReadable({ user, text, gzip }: Owner): Promise<boolean> {
  const document = await openDocument(user.id);
  const plain = await bytesOf(plainText(document));
  const zipped = await bytesOf(gzipText(document));
  expect(text.startsWith(plain.bytes.toString())).toBe(true);
  expect(gzip.subarray(0, zipped.bytes.length).equals(zipped.bytes)).toBe(true);
  if (plain.isWhole) expect(plain.bytes.toString()).toBe(text);
  if (zipped.isWhole) expect(zipped.bytes.equals(gzip)).toBe(true);
  return plain.isWhole && zipped.isWhole;
}

const flipped = (value: number, bit: number) => value ^ (1 << bit);

test("A flipped bit in any column of a piece is a fault of its document alone, which the doctor names", {
  timeout: 600_000,
}, async () => {
  const owners: Owner[] = [];
  for (let n = 0; n < USERS; n++) owners.push(await owner(n));
  let seed = 1;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return (seed >>> 8) % below;
  };
  let [flips, named] = [0, 0];
  for (const [n, one] of owners.entries()) {
    const witness = owners[(n + 1) % owners.length] ?? one;
    for (const { content, ...piece } of await piecesOf(one.user.id)) {
      if (!content) throw new Error("A piece has no content.");
      const deflated = new Uint8Array(content.deflated);
      const at = random(deflated.length);
      deflated[at] = flipped(deflated[at] ?? 0, random(8));
      const where = { id: piece.id };
      const { pieceId } = content;
      const changes: [what: "fails" | "is named" | "may fail", change: () => Promise<unknown>][] = [
        ["fails", () => db.fileContent.update({ where: { pieceId }, data: { deflated } })],
        ["fails", () => db.fileContent.update({ where: { pieceId }, data: { deflated: deflated.subarray(1) } })],
        ["fails", () => db.fileContent.update({ where: { pieceId }, data: { deflated: new Uint8Array(3) } })],
        ["fails", () => db.fileContent.update({ where: { pieceId }, data: { sealedWith: flipped(1, random(20)) } })],
        ["fails", () => db.fileContent.update({ where: { pieceId }, data: { sealedWith: null } })],
        ["fails", () => db.filePiece.update({ where, data: { crc: piece.crc ^ (1n << BigInt(random(60))) } })],
        ["fails", () => db.filePiece.update({ where, data: { plainLength: flipped(piece.plainLength, random(32)) } })],
        [
          "fails",
          () => db.filePiece.update({ where, data: { deflatedLength: flipped(piece.deflatedLength, random(31)) } }),
        ],
        ["fails", () => db.filePiece.update({ where, data: { bornVersion: null } })],
        ["fails", () => db.filePiece.update({ where, data: { bornVersion: flipped(1, 1 + random(29)) } })],
        ["fails", () => db.filePiece.update({ where, data: { retiredVersion: random(2) } })],
        [
          "may fail",
          () => db.filePiece.update({ where, data: { position: piece.position ^ (1n << BigInt(random(63))) } }),
        ],
        ["is named", () => db.filePiece.update({ where, data: { entries: flipped(piece.entries, random(31)) } })],
      ];
      for (const [what, change] of changes) {
        await change();
        flips++;
        const isRead = await isReadable(one);
        const problem = await problemOf(one.user.id);
        if (what === "fails") expect([String(change), isRead]).toEqual([String(change), false]);
        if (!isRead || what === "is named")
          expect([String(change), problem]).toEqual([String(change), expect.any(String)]);
        if (problem?.includes(piece.id)) named++;
        if (flips % 50 === 0) expect(await isReadable(witness)).toBe(true);
        await db.filePiece.update({ where, data: piece });
        await db.fileContent.update({ where: { pieceId }, data: content });
      }
    }
    expect(await isReadable(one)).toBe(true);
    expect(await problemOf(one.user.id)).toBeUndefined();
  }
  expect(flips).toBeGreaterThanOrEqual(1_000);
  expect(named).toBeGreaterThan(flips / 3);
});
