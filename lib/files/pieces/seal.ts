import { openBytes, SEAL_BYTES, sealBytes } from "@/lib/platform/crypto/secrets";
import { type UserKey, userKey } from "@/lib/platform/crypto/user-keys";
import { Damaged } from "./gzip";

/** A piece's content as stored. */
export interface StoredContent {
  pieceId: string;
  deflated: Uint8Array;
  sealedWith: number | null;
}

/** A content opens only where it belongs: not as another piece's, and not as another user's. */
const contextOf = (pieceId: string, userId: string) => `piece ${pieceId} ${userId}`;

/** The stored form of a piece's content. */
export function sealContent(
  userId: string,
  { pieceId, deflated }: Pick<StoredContent, "pieceId" | "deflated">,
  { key, number }: UserKey,
) {
  return { pieceId, deflated: sealBytes(key, deflated, contextOf(pieceId, userId)), sealedWith: number };
}

/** A piece's content. Throws if it is damaged, or another's; if sealed, every single byte is checked. */
export async function openContent(
  userId: string,
  { pieceId, deflated, sealedWith }: StoredContent,
): Promise<Uint8Array> {
  if (sealedWith === null) return deflated;
  const key = await userKey({ userId, number: sealedWith });
  if (!key) throw new Damaged(pieceId, new Error(`Its user's key ${sealedWith} is missing or damaged.`));
  if (deflated.length < SEAL_BYTES) throw new Damaged(pieceId);
  try {
    return openBytes(key, deflated, contextOf(pieceId, userId));
  } catch (cause) {
    throw new Damaged(pieceId, cause);
  }
}
