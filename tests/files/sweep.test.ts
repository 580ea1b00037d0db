import { expect, test } from "vitest";
import { addPieces, beginDraft } from "@/lib/files/change/draft";
import { publishVersion } from "@/lib/files/change/publish";
import { importDocument } from "@/lib/files/import";
import { totalsOf } from "@/lib/files/pieces/piece";
import { openDocument, plainText } from "@/lib/files/read";
import { sweepFiles } from "@/lib/files/sweep";
import { db } from "@/lib/platform/db/client";
import { newId } from "@/lib/platform/ids";
import { chunks, smallDocument, textOf } from "@/tests/support/documents";
import { makeUser } from "@/tests/support/user";

const HOUR_MS = 3_600_000;
const later = (hours: number) => new Date(Date.now() + hours * HOUR_MS);

test("a replaced version is readable for six hours, then goes with all that only it used", async () => {
  const user = await makeUser();
  const texts = ["a", "b", "c"].map((letter) => JSON.stringify(smallDocument(user.username, letter.repeat(400_000))));
  const opened = [];
  for (const text of texts) {
    await importDocument(user, chunks(text));
    opened.push(await openDocument(user.id));
  }

  await sweepFiles(later(6));
  for (const [index, document] of opened.entries()) expect(await textOf(plainText(document))).toBe(texts[index]);

  for (const hours of [6.5, 1_000]) {
    await sweepFiles(later(hours));
    const left = await db.filePiece.findMany({ where: { userId: user.id } });
    expect(left.every(({ bornVersion, retiredVersion }) => bornVersion === 3 && retiredVersion === null)).toBe(true);
    expect(await db.fileContent.count({ where: { piece: { userId: user.id } } })).toBe(left.length);
    const versions = await db.fileVersion.findMany({ where: { userId: user.id }, select: { version: true } });
    expect(versions).toEqual([{ version: 3 }]);
    expect(await textOf(plainText(await openDocument(user.id)))).toBe(texts[2]);
  }
  for (const document of opened.slice(0, 1))
    await expect(textOf(plainText(document))).rejects.toThrow(/was removed to/);
});

test("a draft whose writer has died is removed after an hour; one still being written stays", async () => {
  const user = await makeUser();
  const facts = { position: 1n, entries: 1, plainLength: 1, deflatedLength: 1, crc: 1n };
  const piece = () => ({ id: newId(), ...facts, content: Buffer.from("x") });
  const [abandoned, busy] = [await beginDraft(user.id), await beginDraft(user.id)];
  await addPieces(abandoned, user.id, [piece(), piece()]);
  await addPieces(busy, user.id, [piece()]);
  await db.fileDraft.update({ where: { id: abandoned }, data: { refreshedAt: later(-1.1) } });

  await sweepFiles();
  const where = { userId: user.id };
  expect(await db.filePiece.findMany({ where, select: { draftId: true } })).toEqual([{ draftId: busy }]);
  expect(await db.fileDraft.findMany({ where, select: { id: true } })).toEqual([{ id: busy }]);
  const draftLost = { status: 409, code: "draft_lost" };
  await expect(addPieces(abandoned, user.id, [piece()])).rejects.toMatchObject(draftLost);
  const version = { totals: totalsOf([]), replaces: "all", indexSpace: "x", checkQuotas: () => {} } as const;
  const publishing = publishVersion({ userId: user.id, drafts: [abandoned], ...version }, new Date());
  await expect(publishing).rejects.toMatchObject(draftLost);
  await addPieces(busy, user.id, [piece()]);
});
