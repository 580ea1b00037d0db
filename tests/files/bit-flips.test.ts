import { expect, test } from "vitest";
import { importDocument } from "@/lib/files/import";
import { gzipText, openDocument, plainText } from "@/lib/files/read";
import { problemOf } from "@/lib/files/reseal";
import { db } from "@/lib/platform/db/client";
import { chunks, smallDocument } from "@/tests/support/documents";
import { piecesOf } from "@/tests/support/indexed";
import { sized } from "@/tests/support/size";
import { makeUser, type TestUser } from "@/tests/support/user";
import { numbersOf } from "@/tests/support/wild-documents";

/** Of four pieces each, of which each has a flipped bit in each of its columns. */
const USERS = sized(2, 20);
const LENGTH = 500_000;

interface Owner {
  user: TestUser;
  text: string;
  gzip: Buffer;
}

async function bytesOf(source: AsyncIterable<Uint8Array>): Promise<{ bytes: Buffer; isIntact: boolean }> {
  const parts: Uint8Array[] = [];
  let isIntact = true;
  try {
    for await (const part of source) parts.push(part);
  } catch {
    isIntact = false;
  }
  return { bytes: Buffer.concat(parts), isIntact };
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
  if (plain.isIntact) expect(plain.bytes.toString()).toBe(text);
  if (zipped.isIntact) expect(zipped.bytes.equals(gzip)).toBe(true);
  return plain.isIntact && zipped.isIntact;
}

const flipped = (value: number, bit: number) => value ^ (1 << bit);

test("a flipped bit in any column of a piece is a fault of its document alone, which the doctor names", async () => {
  const owners: Owner[] = [];
  for (let n = 0; n < USERS; n++) owners.push(await owner(n));
  const next = numbersOf(1);
  const random = (below: number) => Math.floor(next() * below);
  let [flips, named] = [0, 0];
  for (const [n, one] of owners.entries()) {
    const witness = owners[(n + 1) % owners.length] ?? one;
    for (const { content, ...piece } of await piecesOf(one.user.id)) {
      const { pieceId } = content;
      const deflated = new Uint8Array(content.deflated);
      const at = random(deflated.length);
      deflated[at] = flipped(deflated[at] ?? 0, random(8));
      const inContent = [
        { deflated },
        { deflated: deflated.subarray(1) },
        { deflated: new Uint8Array(3) },
        { sealedWith: flipped(1, random(20)) },
        { sealedWith: null },
      ];
      const inPiece = [
        { crc: piece.crc ^ (1n << BigInt(random(60))) },
        { plainLength: flipped(piece.plainLength, random(32)) },
        { deflatedLength: flipped(piece.deflatedLength, random(31)) },
        { bornVersion: null },
        { bornVersion: flipped(1, 1 + random(29)) },
        { retiredVersion: random(2) },
        // The same order may be left, and only the doctor looks at how many there are.
        { position: piece.position ^ (1n << BigInt(random(63))) },
        { entries: flipped(piece.entries, random(31)) },
      ];
      for (const data of [...inContent, ...inPiece]) {
        if ("deflated" in data || "sealedWith" in data) await db.fileContent.update({ where: { pieceId }, data });
        else await db.filePiece.update({ where: { id: piece.id }, data });
        flips++;
        const isRead = await isReadable(one);
        const problem = await problemOf(one.user.id);
        const what = Object.keys(data)[0] ?? "";
        if (what !== "position" && what !== "entries") expect([what, isRead]).toEqual([what, false]);
        if (!isRead || what === "entries") expect([what, problem]).toEqual([what, expect.any(String)]);
        if (problem?.includes(piece.id)) named++;
        if (flips % 50 === 0) expect(await isReadable(witness)).toBe(true);
        await db.filePiece.update({ where: { id: piece.id }, data: piece });
        await db.fileContent.update({ where: { pieceId }, data: content });
      }
    }
    expect(await isReadable(one)).toBe(true);
    expect(await problemOf(one.user.id)).toBeUndefined();
  }
  expect(flips).toBeGreaterThanOrEqual(50 * USERS);
  expect(named).toBeGreaterThan(flips / 3);
});
