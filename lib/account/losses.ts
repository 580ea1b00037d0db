import { auditTrail } from "@/lib/audit";
import { db } from "@/lib/db/client";
import { type FilesSummary, filesSummary } from "@/lib/files/summary";

/** How long somebody is told of keys that went with an account. */
const TOLD_FOR_MS = 30 * 24 * 3600_000;

/** A user may have made as many keys, each with as many holders, as the quotas allow: millions. */
const MOST_COUNTED = 20_000;

/** What would be gone with an account. */
export interface Losses {
  /** Keys that the user made, and how many others hold one of them. */
  keys: number;
  /** No more than `MOST_COUNTED` entries of holders are looked at for it; then it is the least that it can be. */
  holders: number;
  areMoreHolders: boolean;
  files: FilesSummary;
}

export async function lossesOf(userId: string): Promise<Losses> {
  const [keys, [counted], files] = await Promise.all([
    db.key.count({ where: { creatorId: userId } }),
    db.$queryRaw<{ holders: bigint; seen: bigint }[]>`
      SELECT count(DISTINCT "userId") AS "holders", count(*) AS "seen" FROM (
        SELECT h."userId" FROM "Key" k JOIN "Holder" h ON h."keyId" = k."id"
        WHERE k."creatorId" = ${userId} AND h."userId" <> ${userId} LIMIT ${MOST_COUNTED}) AS "some"`,
    filesSummary(userId),
  ]);
  return { keys, holders: Number(counted?.holders ?? 0), areMoreHolders: Number(counted?.seen ?? 0) === MOST_COUNTED, files };
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
