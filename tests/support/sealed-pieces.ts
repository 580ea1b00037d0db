import { db } from "@/lib/db/client";
import { withEnd } from "@/lib/files/pieces/gzip";
import { withoutMask } from "@/lib/files/pieces/masked-crc";
import { totalsOf } from "@/lib/files/pieces/piece";
import { openContent, sealContent } from "@/lib/files/pieces/sealed";
import { addKey, currentUserKey, forgetUserKeys, type UserKey } from "@/lib/sealing/user-keys";

/** All pieces of a user, with their contents. */
export function piecesOf(userId: string) {
  return db.filePiece.findMany({
    where: { userId },
    orderBy: [{ position: "asc" }, { id: "asc" }],
    include: { content: true },
  });
}

/** Their contents, as stored. */
export async function contentsOf(userId: string) {
  return (await piecesOf(userId)).map(({ content }) => {
    if (!content) throw new Error("A piece has no content.");
    return content;
  });
}

/** Gives the user a newer key, as if another process had. */
export async function newerKey(userId: string): Promise<UserKey> {
  const { number } = await currentUserKey(userId);
  await addKey(userId, number + 1);
  forgetUserKeys();
  return currentUserKey(userId);
}

/** Stores these contents in the clear, as before sealing; all without `pieceIds`. */
export async function unseal(userId: string, pieceIds?: readonly string[]): Promise<void> {
  for (const content of await contentsOf(userId)) {
    if (pieceIds && !pieceIds.includes(content.pieceId)) continue;
    const deflated = new Uint8Array(await openContent(userId, content));
    await db.fileContent.update({ where: { pieceId: content.pieceId }, data: { deflated, sealedWith: null } });
  }
}

/** Stores the pieces of the user's only version with their CRC-32, as before there were masks. */
export async function unmask(userId: string): Promise<void> {
  const key = await currentUserKey(userId);
  for (const { content, ...piece } of await piecesOf(userId)) {
    const opened = content && withoutMask(piece, await openContent(userId, content));
    if (!opened) throw new Error("A piece has no content.");
    const { pieceId, ...data } = sealContent(userId, piece.id, opened.deflated, key);
    await db.fileContent.update({ where: { pieceId }, data });
    await db.filePiece.update({ where: { id: pieceId }, data: { crc: BigInt(opened.crc) } });
  }
  const { crc } = totalsOf(await piecesOf(userId));
  await db.fileVersion.updateMany({ where: { userId }, data: { crc: BigInt(withEnd(crc)) } });
}
