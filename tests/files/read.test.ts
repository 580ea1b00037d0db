import { execFileSync } from "node:child_process";
import { constants, crc32, createGunzip, gunzipSync, inflateRawSync } from "node:zlib";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { importDocument } from "@/lib/files/import";
import { type StoredDocument, takenPieces } from "@/lib/files/pieces/published";
import { gzipText, openDocument, plainText } from "@/lib/files/read-document";
import { chunks, file, root, smallDocument, textOf, values } from "../support/documents";
import { makeUser, type TestUser } from "../support/user";

const HEADER_BYTES = 10;
const TRAILER_BYTES = 8;

let user: TestUser;
let text: string;
let document: StoredDocument;

async function bytesOf(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of source) parts.push(part);
  return Buffer.concat(parts);
}

beforeAll(async () => {
  user = await makeUser();
  const files = Array.from({ length: 3_000 }, (_, n) => values(file(user.username, n + 2, `${n} `.repeat(n % 700))));
  text = JSON.stringify([
    ...values(root(user.username)),
    ...files.flat(),
    ...values(file(user.username, 9_999, "big".repeat(300_000))),
  ]);
  await importDocument(user, chunks(text));
  document = await openDocument(user.id);
});

describe("The gzip form", () => {
  let gzip: Buffer;
  beforeAll(async () => {
    gzip = await bytesOf(gzipText(document));
  });

  test("has the length that was announced, and is read alike by independent programs", () => {
    expect(gzip.length).toBe(document.gzipLength);
    const options = { input: gzip, maxBuffer: 50_000_000 };
    expect(gunzipSync(gzip).toString()).toBe(text);
    expect(execFileSync("gzip", ["-dc"], options).toString()).toBe(text);
    expect(execFileSync("gzip", ["-t"], options).length).toBe(0);
    expect(
      execFileSync(
        "python3",
        ["-c", "import gzip,sys; sys.stdout.buffer.write(gzip.decompress(sys.stdin.buffer.read()))"],
        options,
      ).toString(),
    ).toBe(text);
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

  test("cut anywhere, it is no valid gzip", () => {
    for (const length of [9, 1_000, gzip.length - 9, gzip.length - 1])
      expect(() => gunzipSync(gzip.subarray(0, length))).toThrow();
  });

  test("every piece inflates without any other", async () => {
    let pieces = 0;
    for await (const taken of takenPieces(document, 0, document.plainLength))
      for (const { deflated, plainLength, crc } of taken) {
        pieces++;
        const inflated = inflateRawSync(deflated, { finishFlush: constants.Z_SYNC_FLUSH });
        expect([inflated.length, crc32(inflated)]).toEqual([plainLength, crc]);
        expect(inflated.length).toBeLessThanOrEqual(256 * 1024);
      }
    expect(pieces).toBeGreaterThan(5);
  });
});

describe("The plain form", () => {
  test("is the text that was imported, of the length that was announced", async () => {
    expect(await textOf(plainText(document))).toBe(text);
    expect(document.plainLength).toBe(Buffer.byteLength(text));
  });

  test("any part of it is those bytes", async () => {
    const bytes = Buffer.from(text);
    const places = fc.oneof(fc.nat(bytes.length - 1), fc.constantFrom(0, 1, bytes.length - 2, bytes.length - 1));
    await fc.assert(
      fc.asyncProperty(places, places, async (one, other) => {
        const [first, last] = [Math.min(one, other), Math.max(one, other)];
        expect((await bytesOf(plainText(document, first, last))).equals(bytes.subarray(first, last + 1))).toBe(true);
      }),
      { numRuns: 40 },
    );
  });
});

describe("A reader", () => {
  test("gets one version whole, though others are published while it reads", async () => {
    const user = await makeUser();
    const versions = Array.from({ length: 6 }, (_, n) =>
      JSON.stringify(smallDocument(user.username, `${n}`.repeat(900_000))),
    );
    const [first = "", ...later] = versions;
    await importDocument(user, chunks(first));
    const slow = plainText(await openDocument(user.id));
    const began = [(await slow.next()).value];
    const reading: Promise<string>[] = [];
    for (const version of later) {
      reading.push(openDocument(user.id).then((document) => textOf(plainText(document))));
      await importDocument(user, chunks(version));
    }
    for (const read of await Promise.all(reading)) expect(versions).toContain(read);
    for await (const part of slow) began.push(part);
    expect(Buffer.concat(began.filter((part) => part !== undefined)).toString()).toBe(first);
    expect(await textOf(plainText(await openDocument(user.id)))).toBe(versions.at(-1));
  });

  test("of a piece that is missing or damaged gets an error, never a document that ends early and parses", async () => {
    for (const spoil of ["missing piece", "missing bytes", "damaged"]) {
      const user = await makeUser();
      await importDocument(user, chunks(JSON.stringify(smallDocument(user.username, "x".repeat(900_000)))));
      const document = await openDocument(user.id);
      const { id } = await db.filePiece.findFirstOrThrow({ where: { userId: user.id }, orderBy: { position: "desc" } });
      if (spoil === "missing piece") await db.filePiece.delete({ where: { id } });
      else if (spoil === "missing bytes") await db.fileContent.delete({ where: { pieceId: id } });
      else await db.filePiece.update({ where: { id }, data: { crc: 1n } });

      const parts: Uint8Array[] = [];
      const read = async () => {
        for await (const part of plainText(document)) parts.push(part);
      };
      await expect(read()).rejects.toThrow(/damaged/);
      expect(() => JSON.parse(Buffer.concat(parts).toString())).toThrow();
      await db.filePiece.deleteMany({ where: { userId: user.id } });
      await db.user.delete({ where: { id: user.id } });
    }
  });

  test("who stops early leaves nothing open", async () => {
    for (let n = 0; n < 20; n++) for await (const part of gzipText(document)) if (part.length > 10) break;
    expect(await textOf(plainText(document))).toBe(text);
  });

  test("after six hours is cut off", async () => {
    await expect(textOf(plainText({ ...document, openedAt: performance.now() - 6.01 * 3_600_000 }))).rejects.toThrow(
      /longer than it may/,
    );
  });

  test("of a user who has stored nothing is reported as such", async () => {
    const { id } = await makeUser();
    await expect(openDocument(id)).rejects.toMatchObject({ status: 404, code: "no_files" });
  });
});

test("Another reader of streams takes the gzip form chunk by chunk", async () => {
  const gunzip = createGunzip();
  const inflated = bytesOf(gunzip);
  for await (const part of gzipText(document)) gunzip.write(part);
  gunzip.end();
  expect((await inflated).toString()).toBe(text);
});
