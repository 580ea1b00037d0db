import { withEnd } from "@/lib/files/pieces/gzip";
import { totalsOf, withoutMask } from "@/lib/files/pieces/piece";
import { openContent, sealContent } from "@/lib/files/pieces/read";
import { addKey, currentUserKey, forgetUserKeys, type UserKey } from "@/lib/platform/crypto/user-keys";
import { db } from "@/lib/platform/db/client";

export async function piecesOf(userId: string) {
  const orderBy = [{ position: "asc" }, { id: "asc" }] as const;
  const pieces = await db.filePiece.findMany({ where: { userId }, orderBy: [...orderBy], include: { content: true } });
  return pieces.map(({ content, ...piece }) => {
    if (!content) throw new Error("A piece has no content.");
    return { ...piece, content };
  });
}

export const contentsOf = async (userId: string) => (await piecesOf(userId)).map(({ content }) => content);

export async function pieceOf({ id }: { id: string }, n: number) {
  const piece = (await piecesOf(id))[n];
  if (!piece) throw new Error("There are too few pieces.");
  return piece;
}

export async function newerKey(userId: string): Promise<UserKey> {
  const { number } = await currentUserKey(userId);
  await addKey(userId, number + 1);
  forgetUserKeys();
  return currentUserKey(userId);
}

export async function unseal(userId: string, pieceIds?: readonly string[]): Promise<void> {
  for (const content of await contentsOf(userId)) {
    if (pieceIds && !pieceIds.includes(content.pieceId)) continue;
    const deflated = new Uint8Array(await openContent(userId, content));
    await db.fileContent.update({ where: { pieceId: content.pieceId }, data: { deflated, sealedWith: null } });
  }
}

export async function unmask(userId: string): Promise<void> {
  const key = await currentUserKey(userId);
  for (const { content, ...piece } of await piecesOf(userId)) {
    const opened = withoutMask(piece, await openContent(userId, content));
    if (!opened) throw new Error("A piece has no mask.");
    const { pieceId, ...data } = sealContent(userId, piece.id, opened.deflated, key);
    await db.fileContent.update({ where: { pieceId }, data });
    await db.filePiece.update({ where: { id: pieceId }, data: { crc: BigInt(opened.crc) } });
  }
  const { crc } = totalsOf(await piecesOf(userId));
  await db.fileVersion.updateMany({ where: { userId }, data: { crc: BigInt(withEnd(crc)) } });
}
