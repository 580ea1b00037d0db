import { constants, crc32, deflateRawSync, gunzipSync, inflateRawSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { refusalOf } from "@/lib/api/refusal";
import { createFolder } from "@/lib/files/create";
import { problemOf } from "@/lib/files/examine";
import { importDocument } from "@/lib/files/import";
import { openContent, sealContent } from "@/lib/files/pieces/seal";
import { gzipText, openDocument, plainText } from "@/lib/files/read";
import { resealFiles } from "@/lib/files/reseal";
import { sweepFiles } from "@/lib/files/sweep";
import { addPart, beginUpload, finishUpload } from "@/lib/files/upload";
import { currentUserKey } from "@/lib/platform/crypto/user-keys";
import { db } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { bytesOf, chunks, smallDocument, textOf } from "@/tests/support/documents";
import { contentsOf, newerKey, pieceOf, piecesOf, unmask, unseal } from "@/tests/support/indexed";
import { makeUser, type TestUser } from "@/tests/support/user";

/** Long enough for six pieces, all of the same length. */
const LENGTH = 1_300_000;

let user: TestUser;
let text: string;

async function stored(letter: string): Promise<[TestUser, string]> {
  const user = await makeUser();
  const text = JSON.stringify(smallDocument(user.username, letter.repeat(LENGTH)));
  await importDocument(user, chunks(text));
  return [user, text];
}

beforeEach(async () => {
  [user, text] = await stored("m");
});

const gzipped = async ({ id }: TestUser) => gunzipSync(await bytesOf(gzipText(await openDocument(id)))).toString();
const plain = async ({ id }: TestUser) => textOf(plainText(await openDocument(id)));
const damaged = ({ id }: { id: string }) => `The piece ${id} of a document is missing or damaged.`;
describe("a stored piece", () => {
  test("is sealed with its user's key, and what it holds is nowhere in it", async () => {
    const marked = JSON.stringify(smallDocument(user.username, `${"marked secret ".repeat(3)}${"0".repeat(50)}`));
    await importDocument(user, chunks(marked));
    const contents = await contentsOf(user.id);
    const { number } = await currentUserKey(user.id);
    expect(new Set(contents.map(({ sealedWith }) => sealedWith))).toEqual(new Set([number]));
    for (const { deflated } of contents) expect(Buffer.from(deflated).includes("marked")).toBe(false);
    expect(await plain(user)).toBe(marked);
  });

  test("has no CRC-32 in the clear, which would confirm a guess of its text", async () => {
    const ofTexts = async (userId: string) => {
      const texts: { crc: bigint; ofText: bigint }[] = [];
      for (const { plainLength, deflatedLength, crc, content } of await piecesOf(userId)) {
        const deflated = (await openContent(userId, content)).subarray(0, deflatedLength);
        const text = inflateRawSync(deflated, { finishFlush: constants.Z_SYNC_FLUSH });
        expect(text.length).toBe(plainLength);
        texts.push({ crc: BigInt.asUintN(32, crc), ofText: BigInt(crc32(text)) });
      }
      return texts;
    };
    const first = await ofTexts(user.id);
    await importDocument(user, chunks(text));
    await createFolder(user, undefined, { name: "so that pieces are copied" });
    const all = await ofTexts(user.id);
    for (const { crc, ofText } of all) expect(crc).not.toBe(ofText);
    // The same texts as before, under other masks.
    expect(all.length).toBeGreaterThanOrEqual(2 * first.length);
    expect(new Set(all.map(({ crc }) => crc)).size).toBe(all.length);
    const versions = await db.fileVersion.findMany({ where: { userId: user.id } });
    const complete = await plain(user);
    for (const { crc } of versions) expect([BigInt(crc32(text)), BigInt(crc32(complete))]).not.toContain(crc);
    expect(await gzipped(user)).toBe(complete);
  });

  test("from before masks, with its CRC-32, reads as ever, and a change masks those that it writes", async () => {
    await unmask(user.id);
    expect(await problemOf(user.id)).toBeUndefined();
    expect([await plain(user), await gzipped(user)]).toEqual([text, text]);
    await resealFiles(user.id, await newerKey(user.id));
    await createFolder(user, undefined, { name: "later" });
    expect(new Set((await piecesOf(user.id)).map(({ crc }) => crc < 2n ** 32n))).toEqual(new Set([true, false]));
    expect(await problemOf(user.id)).toBeUndefined();
    expect(await gzipped(user)).toBe(await plain(user));
  });

  test("in the clear, from before sealing, reads as ever; so does a document of which a part is sealed", async () => {
    const ids = (await piecesOf(user.id)).map(({ id }) => id);
    for (const some of [ids.slice(0, 2), ids]) {
      await unseal(user.id, some);
      expect(await plain(user)).toBe(text);
      expect(await gzipped(user)).toBe(text);
    }
  });

  test("of another position or another user does not open, and only that document is refused", async () => {
    const [other, otherText] = await stored("w");
    const [first, second, foreign] = [await pieceOf(user, 1), await pieceOf(user, 2), await pieceOf(other, 1)];
    for (const { content } of [second, foreign]) {
      const { deflated, sealedWith } = content;
      await db.fileContent.update({ where: { pieceId: first.id }, data: { deflated, sealedWith } });
      await expect(plain(user)).rejects.toThrow(damaged(first));
      const refused = await gzipped(user).catch((error: unknown) => error);
      expect(refusalOf(refused, "a request failed")).toMatchObject({ status: 500, code: "data_damaged" });
      expect(await problemOf(user.id)).toContain(first.id);
      expect(await plain(other)).toBe(otherText);
    }
    await db.user.delete({ where: { id: user.id } });
  });

  test("of another text is refused, and named by the doctor, though it opens", async () => {
    const piece = await pieceOf(user, 1);
    const mask = (await openContent(user.id, piece.content)).subarray(piece.deflatedLength);
    for (const longer of [-1, 0, 1]) {
      const other = Buffer.alloc(piece.plainLength + longer, "w");
      const deflated = deflateRawSync(other, { finishFlush: constants.Z_SYNC_FLUSH });
      const content = Buffer.concat([deflated, mask]);
      const data = sealContent(user.id, { pieceId: piece.id, deflated: content }, await currentUserKey(user.id));
      await db.fileContent.update({ where: { pieceId: piece.id }, data });
      await db.filePiece.update({ where: { id: piece.id }, data: { deflatedLength: deflated.length } });
      await expect(plain(user)).rejects.toThrow(damaged(piece));
      expect(await problemOf(user.id)).toContain(piece.id);
    }
    await db.user.delete({ where: { id: user.id } });
  });

  test("at another position, or of another user's document, is noticed before its first byte is sent", async () => {
    const [other] = await stored("w");
    const [first, second, foreign] = [await pieceOf(user, 1), await pieceOf(user, 2), await pieceOf(other, 1)];
    const moveTo = ({ id }: { id: string }, { position, userId }: { position: bigint; userId: string }) =>
      db.filePiece.update({ where: { id }, data: { position, userId } });
    for (const another of [second, foreign]) {
      await moveTo(first, another);
      await moveTo(another, first);
      await expect(plainText(await openDocument(user.id)).next()).rejects.toThrow("is missing or damaged");
      expect(await problemOf(user.id)).toContain("out of order");
      await moveTo(first, first);
      await moveTo(another, another);
      expect(await plain(user)).toBe(text);
    }
  });
});

describe("with SEAL_FILES=false", () => {
  const { SEAL_FILES } = env;
  afterEach(() => void Object.assign(env, { SEAL_FILES }));

  test("new pieces stay in the clear, and sealed ones open and are rotated", async () => {
    env.SEAL_FILES = false;
    await importDocument(user, chunks(text.replaceAll("m", "n")));
    await sweepFiles(new Date(Date.now() + 7 * 3_600_000));
    const sealedWith = async () => (await contentsOf(user.id)).map((content) => content.sealedWith);
    const clear = await sealedWith();
    expect(clear.length).toBeGreaterThan(1);
    expect(new Set(clear)).toEqual(new Set([null]));

    const { content } = await pieceOf(user, 0);
    const data = sealContent(user.id, content, await currentUserKey(user.id));
    await db.fileContent.update({ where: { pieceId: content.pieceId }, data });
    const current = await newerKey(user.id);
    expect(await resealFiles(user.id, current)).toBe(1);
    expect(await sealedWith()).toEqual([current.number, ...clear.slice(1)]);
    expect(await plain(user)).toContain("n".repeat(LENGTH));
  });
});

describe("resealing", () => {
  test("seals what is in the clear, and what a former key sealed, of all versions and drafts", async () => {
    await unseal(user.id);
    await importDocument(user, chunks(JSON.stringify(smallDocument(user.username, "n".repeat(LENGTH)))));
    const former = await openDocument(user.id);
    await createFolder(user, undefined, { name: "later" });
    const content = Buffer.from("uploaded ".repeat(100));
    const announced = { name: "sent.txt", totalBytes: content.length, isText: true, onExisting: "refuse" } as const;
    const { uploadId } = await beginUpload(user, undefined, announced);
    await addPart(user, uploadId, { offset: 0, bytes: content });
    const current = await newerKey(user.id);
    const pieces = await piecesOf(user.id);
    const before = await plain(user);

    expect(await resealFiles(user.id, current)).toBe(pieces.length);
    expect(await resealFiles(user.id, current)).toBe(0);
    expect((await contentsOf(user.id)).every(({ sealedWith }) => sealedWith === current.number)).toBe(true);
    expect(await plain(user)).toBe(before);
    expect(await textOf(plainText(former))).toContain("n".repeat(LENGTH));
    await finishUpload(user, uploadId);
    expect(await plain(user)).toContain(content.toString());
    expect(await problemOf(user.id)).toBeUndefined();
  });

  test("of two processes that both do it, each piece is sealed by one", async () => {
    await unseal(user.id);
    const { length } = await piecesOf(user.id);
    const current = await currentUserKey(user.id);
    const done = await Promise.all([resealFiles(user.id, current), resealFiles(user.id, current)]);
    expect(done[0] + done[1]).toBe(length);
    expect(await plain(user)).toBe(text);
  });

  test("leaves what a newer key sealed, if whoever does it still has the former one", async () => {
    const former = await currentUserKey(user.id);
    await resealFiles(user.id, await newerKey(user.id));
    const before = await contentsOf(user.id);
    expect(await resealFiles(user.id, former)).toBe(0);
    expect(await contentsOf(user.id)).toEqual(before);
  });

  test("passes over a damaged piece, which it logs, and seals the others", async () => {
    const current = await newerKey(user.id);
    const first = await pieceOf(user, 0);
    await db.fileContent.update({ where: { pieceId: first.id }, data: { deflated: Buffer.alloc(100) } });
    expect(await resealFiles(user.id, current)).toBe((await piecesOf(user.id)).length - 1);
    expect(await problemOf(user.id)).toContain(first.id);
    await db.user.delete({ where: { id: user.id } });
  });
});
