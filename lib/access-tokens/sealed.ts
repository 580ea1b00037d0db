import { db, type Statements } from "@/lib/db/client";

/** Deletes the sealed form of tokens that links created: it stands with the link, which has the token's id. */
export async function forgetSealed(ids: string[], tx: Statements = db): Promise<void> {
  await tx.linkCode.updateMany({ where: { id: { in: ids } }, data: { sealed: null } });
  // Last: the sweep finds by it what an interrupted process left.
  await tx.accessToken.updateMany({ where: { id: { in: ids } }, data: { sealedUntil: null } });
}
