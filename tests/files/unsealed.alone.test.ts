import { beforeAll, expect, test, vi } from "vitest";

beforeAll(() => {
  vi.stubEnv("SEAL_FILES", "false");
  vi.resetModules();
});

test("with SEAL_FILES=false, new pieces stay in the clear, and sealed ones open and are rotated", async () => {
  const { importDocument } = await import("@/lib/files/import");
  const { openDocument, plainText } = await import("@/lib/files/read-document");
  const { resealFiles } = await import("@/lib/files/reseal");
  const { sealContent } = await import("@/lib/files/pieces/sealed");
  const { currentUserKey } = await import("@/lib/sealing/user-keys");
  const { db } = await import("@/lib/db/client");
  const { chunks, smallDocument, textOf } = await import("@/tests/support/documents");
  const { contentsOf, newerKey } = await import("@/tests/support/sealed-pieces");
  const { makeUser } = await import("@/tests/support/user");

  const user = await makeUser();
  const text = JSON.stringify(smallDocument(user.username, "m".repeat(600_000)));
  await importDocument(user, chunks(text));
  const sealedWith = async () => (await contentsOf(user.id)).map((content) => content.sealedWith);
  const clear = await sealedWith();
  expect(clear.length).toBeGreaterThan(1);
  expect(new Set(clear)).toEqual(new Set([null]));

  const [first] = await contentsOf(user.id);
  if (!first) throw new Error("The document has no pieces.");
  const sealed = sealContent(user.id, first.pieceId, first.deflated, await currentUserKey(user.id));
  await db.fileContent.update({ where: { pieceId: first.pieceId }, data: sealed });
  const { number } = await newerKey(user.id);
  expect(await resealFiles(user.id, await currentUserKey(user.id))).toBe(1);
  expect(await sealedWith()).toEqual([number, ...clear.slice(1)]);
  expect(await textOf(plainText(await openDocument(user.id)))).toBe(text);
});
