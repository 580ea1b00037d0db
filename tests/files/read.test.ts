import { execFileSync } from "node:child_process";
import { crc32, createGunzip, gunzipSync, inflateRawSync } from "node:zlib";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { importDocument } from "@/lib/files/import";
import { combineCrc } from "@/lib/files/pieces/gzip";
import { piecesInRange, type StoredDocument } from "@/lib/files/pieces/versions";
import { gzipText, openDocument, plainText, readFile } from "@/lib/files/read";
import { db } from "@/lib/platform/db/client";
import { bytesOf, chunks, file, idOf, root, smallDocument, textOf, values } from "@/tests/support/documents";
import { makeUser, type TestUser } from "@/tests/support/user";
import { fileEntry, importEntries } from "./stored";

const HEADER_BYTES = 10;
const TRAILER_BYTES = 8;

let user: TestUser;
let text: string;
let document: StoredDocument;

beforeAll(async () => {
  user = await makeUser();
  const files = Array.from({ length: 3_000 }, (_, n) => file(user.username, n + 2, `${n} `.repeat(n % 700)));
  const all = [root(user.username), ...files, file(user.username, 9_999, "big".repeat(300_000))];
  text = JSON.stringify(all.flatMap(values));
  await importDocument(user, chunks(text));
  document = await openDocument(user.id);
});

describe("the gzip form", () => {
  let gzip: Buffer;
  beforeAll(async () => {
    gzip = await bytesOf(gzipText(document));
  });

  test("has the length that was announced, and is read alike by independent programs", async () => {
    expect(gzip.length).toBe(document.gzipLength);
    const options = { input: gzip, maxBuffer: 50_000_000 };
    expect(gunzipSync(gzip).toString()).toBe(text);
    expect(execFileSync("gzip", ["-dc"], options).toString()).toBe(text);
    expect(execFileSync("gzip", ["-t"], options).length).toBe(0);
    const gunzip = createGunzip();
    const inflated = bytesOf(gunzip);
    for await (const part of gzipText(document)) gunzip.write(part);
    gunzip.end();
    expect((await inflated).toString()).toBe(text);
  });

  test("is one member: its first deflate stream is the whole text, and nothing but the trailer follows", () => {
    const { buffer, engine } = inflateRawSync(gzip.subarray(HEADER_BYTES), { info: true }) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    expect(buffer.toString()).toBe(text);
    expect(engine.bytesWritten).toBe(gzip.length - HEADER_BYTES - TRAILER_BYTES);
    expect(gzip.readUInt32LE(gzip.length - 8)).toBe(crc32(text));
    expect(gzip.readUInt32LE(gzip.length - 4)).toBe(Buffer.byteLength(text));
  });

  test("has the CRC-32 of all pieces, computed from theirs, however long they are", () => {
    const bytes = fc.uint8Array({ maxLength: 3_000 });
    fc.assert(
      fc.property(bytes, bytes, (first, second) => {
        expect(combineCrc(crc32(first), crc32(second), second.length)).toBe(crc32(Buffer.concat([first, second])));
      }),
    );
    const longer = 2 ** 32 + 5;
    // Of so many zeros, alone and behind "first".
    expect(combineCrc(crc32("first"), 2_982_322_595, longer)).toBe(448_351_029);
  });
});

test("any part of the plain form is those bytes", async () => {
  const bytes = Buffer.from(text);
  const borders: number[] = [];
  for await (const pieces of piecesInRange(document, 0, document.plainLength))
    borders.push(...pieces.map(({ plainLength }) => plainLength));
  const starts = borders.map((_, n) => borders.slice(0, n).reduce((sum, length) => sum + length, 0));
  const near = starts.flatMap((start) => [start - 1, start]).filter((position) => position >= 0);
  const positions = fc.oneof(fc.nat(bytes.length - 1), fc.constantFrom(...near, 1, bytes.length - 2, bytes.length - 1));
  await fc.assert(
    fc.asyncProperty(positions, positions, async (one, other) => {
      const [first, last] = [Math.min(one, other), Math.max(one, other)];
      expect((await bytesOf(plainText(document, first, last))).equals(bytes.subarray(first, last + 1))).toBe(true);
    }),
    { numRuns: 40 },
  );
});

test("a reader gets one version whole, though others are published while it reads", async () => {
  const user = await makeUser();
  const versions = Array.from({ length: 6 }, (_, n) =>
    JSON.stringify(smallDocument(user.username, `${n}`.repeat(900_000))),
  );
  const [first = "", ...later] = versions;
  await importDocument(user, chunks(first));
  const slow = plainText(await openDocument(user.id));
  const began = (await slow.next()).value ?? Buffer.alloc(0);
  const reading: Promise<string>[] = [];
  for (const version of later) {
    reading.push(openDocument(user.id).then((document) => textOf(plainText(document))));
    await importDocument(user, chunks(version));
  }
  for (const read of await Promise.all(reading)) expect(versions).toContain(read);
  expect(Buffer.concat([began, await bytesOf(slow)]).toString()).toBe(first);
  expect(await textOf(plainText(await openDocument(user.id)))).toBe(versions.at(-1));
});

test.each([
  ["piece", (pieceId: string) => db.filePiece.delete({ where: { id: pieceId } })],
  ["content of a piece", (pieceId: string) => db.fileContent.delete({ where: { pieceId } })],
])("a reader of a missing %s gets an error, never a document that ends early and parses", async (_, spoil) => {
  const user = await makeUser();
  await importDocument(user, chunks(JSON.stringify(smallDocument(user.username, "x".repeat(900_000)))));
  const document = await openDocument(user.id);
  const { id } = await db.filePiece.findFirstOrThrow({ where: { userId: user.id }, orderBy: { position: "desc" } });
  await spoil(id);
  const parts: Uint8Array[] = [];
  const read = async () => {
    for await (const part of plainText(document)) parts.push(part);
  };
  await expect(read()).rejects.toThrow(/damaged/);
  expect(() => JSON.parse(Buffer.concat(parts).toString())).toThrow();
  await db.filePiece.deleteMany({ where: { userId: user.id } });
  await db.user.delete({ where: { id: user.id } });
});

test("a reader after six hours is cut off", async () => {
  const opened = { ...document, openedAt: performance.now() - 6.01 * 3_600_000 };
  await expect(textOf(plainText(opened))).rejects.toThrow(/longer than it may/);
});

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
