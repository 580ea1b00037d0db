import { openBytes, SEAL_BYTES, sealBytes } from "@/lib/aes-gcm";
import { learnUserKeys, rememberedUserKey, type UserKey } from "@/lib/sealing/user-keys";
import { Damaged } from "./damaged";

/** A piece's content as stored. */
export interface StoredContent {
  pieceId: string;
  deflated: Uint8Array;
  sealedWith: number | null;
}

/** A content opens only where it belongs: not as another piece's, and not as another user's. */
const contextOf = (pieceId: string, userId: string) => `piece ${pieceId} ${userId}`;

/** The stored form of a piece's content. */
export function sealContent(userId: string, pieceId: string, deflated: Uint8Array, { key, number }: UserKey) {
  return { pieceId, deflated: sealBytes(key, deflated, contextOf(pieceId, userId)), sealedWith: number };
}

/** A piece's content. Throws if it is damaged, or another's; if sealed, every single byte is checked. */
export async function openContent(
  userId: string,
  { pieceId, deflated, sealedWith }: StoredContent,
): Promise<Uint8Array> {
  if (sealedWith === null) return deflated;
  const by = { userId, number: sealedWith };
  const key = rememberedUserKey(by) ?? [...(await learnUserKeys([by])).values()][0];
  if (!key) throw new Damaged(pieceId, new Error(`Its user's key ${sealedWith} is missing or damaged.`));
  if (deflated.length < SEAL_BYTES) throw new Damaged(pieceId);
  try {
    return openBytes(key, deflated, contextOf(pieceId, userId));
  } catch (cause) {
    throw new Damaged(pieceId, cause);
  }
}
