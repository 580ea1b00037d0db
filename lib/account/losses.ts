import { auditTrail } from "@/lib/audit";
import { db } from "@/lib/db/client";
import { type FilesSummary, filesSummary } from "@/lib/files/summary";

/** How long somebody is told of keys that went with an account. */
const TOLD_FOR_MS = 30 * 24 * 3600_000;

/** What would be gone with an account. */
export interface Losses {
  /** Keys that the user made, and how many others hold one of them. */
  keys: number;
  holders: number;
  files: FilesSummary;
}

export async function lossesOf(userId: string): Promise<Losses> {
  const [keys, [counted], files] = await Promise.all([
    db.key.count({ where: { creatorId: userId } }),
    db.$queryRaw<{ holders: bigint }[]>`
      SELECT count(DISTINCT h."userId") AS "holders" FROM "Key" k JOIN "Holder" h ON h."keyId" = k."id"
      WHERE k."creatorId" = ${userId} AND h."userId" <> ${userId}`,
    filesSummary(userId),
  ]);
  return { keys, holders: Number(counted?.holders ?? 0), files };
}

/** An account that was deleted, and how many keys somebody else lost with it. */
export interface LostKeys {
  creator: string;
  keys: number;
  at: Date;
}

/** The keys of others that the user lost in the last 30 days because their makers deleted their accounts, latest first. */
export async function keysLostBy(userId: string, now = new Date()): Promise<LostKeys[]> {
  const events = await auditTrail({ subjectId: userId, action: "keys.lost", since: new Date(now.getTime() - TOLD_FOR_MS) }, 20);
  return events.map(({ at, detail }) => ({ creator: detail.creator ?? "", keys: Number(detail.keys), at }));
}
