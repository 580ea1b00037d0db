import { auditTrail } from "@/lib/audit";
import { db, sql } from "@/lib/db/client";
import { type FilesSummary, filesSummary } from "@/lib/files/summary";
import { holdersOfOthers } from "./rows";

/** How long users are told of keys lost with an account. */
const TOLD_FOR_MS = 30 * 24 * 3600_000;

/** The quotas allow a user millions of holders: many keys with many holders each. */
const MOST_COUNTED = 20_000;

/** What a deleted account takes with it. */
export interface Losses {
  /** Keys the user created, and how many others hold one of them. */
  keys: number;
  /** Counted from at most `MOST_COUNTED` entries of holders; beyond that it is a lower bound. */
  holders: number;
  /** Keys that are offered to others, who have not decided yet. */
  offered: number;
  areMoreHolders: boolean;
  files: FilesSummary;
}

export async function lossesOf(userId: string): Promise<Losses> {
  const [keys, [counted], offered, files] = await Promise.all([
    db.key.count({ where: { creatorId: userId } }),
    sql.read(holdersOfOthers(userId, MOST_COUNTED)),
    db.keyOffer.count({ where: { key: { creatorId: userId } } }),
    filesSummary(userId),
  ]);
  return {
    keys,
    holders: counted?.holders ?? 0,
    offered,
    areMoreHolders: counted?.seen === MOST_COUNTED,
    files,
  };
}

/** A deleted account, and how many keys another user lost with it. */
export interface KeyLoss {
  creator: string;
  keys: number;
  at: Date;
}

/**
 * The keys of others that the user lost in the last 30 days because their creators deleted their accounts, latest
 * first.
 */
export async function keysLostBy(userId: string, now = new Date()): Promise<KeyLoss[]> {
  const events = await auditTrail(
    { subjectId: userId, action: "keys.lost", since: new Date(now.getTime() - TOLD_FOR_MS) },
    20,
  );
  return events.map(({ at, detail }) => ({ creator: detail.creator ?? "", keys: Number(detail.keys), at }));
}
