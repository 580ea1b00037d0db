import { audit } from "@/lib/audit";
import { db, transaction } from "@/lib/db/client";
import { mintToken, openToken } from "@/lib/tokens";

/** The user's token, to show it to its user. */
export async function revealToken(userId: string): Promise<string> {
  const { tokenSealed } = await db.user.findUniqueOrThrow({ where: { id: userId }, select: { tokenSealed: true } });
  return openToken(tokenSealed, userId);
}

/** Gives the user a new token and answers it. The old one stops at once, and links that were approved but not collected with it. */
export async function rotateToken(userId: string, now = new Date()): Promise<string> {
  const { token, stored } = mintToken(userId);
  await transaction(async (tx) => {
    await tx.user.update({ where: { id: userId }, data: { ...stored, tokenAt: now } });
    await audit({ at: now, action: "token.rotate", subjectId: userId, actorId: userId }, tx);
  });
  return token;
}
