import type { Prisma } from "@/lib/platform/db/client";
import { deleteInBatches } from "@/lib/platform/db/lock";
import { DAY_MS } from "@/lib/platform/time";

/** For how long the manager of a key sees who claimed with links that have ended. */
export const RETENTION_MS = 30 * DAY_MS;

/** Deletes links that ended 30 days ago, in small statements. Returns how many. */
export async function sweepClaimLinks(now = new Date()): Promise<number> {
  const ended = { expiresAt: { lte: new Date(now.getTime() - RETENTION_MS) } };
  return deleteBatches(ended);
}

/** Deletes the links of these keys, in small statements: one that deletes a key would delete them all at once. */
export function deleteClaimLinks(keyIds: string[]): Promise<number> {
  return deleteBatches({ keyId: { in: keyIds } });
}

/** Returns how many links they had. */
async function deleteBatches(where: Prisma.ClaimBatchWhereInput): Promise<number> {
  const links = await deleteInBatches((tx, limit) => tx.claimLink.deleteMany({ where: { batch: where }, limit }));
  await deleteInBatches((tx, limit) => tx.claimBatch.deleteMany({ where, limit }));
  return links;
}
