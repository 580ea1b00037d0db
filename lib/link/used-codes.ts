import { db } from "@/lib/platform/db/client";
import { deleteInBatches } from "@/lib/platform/db/lock";
import { type Insert, insert } from "@/lib/platform/db/statement";
import { DAY_MS } from "@/lib/platform/time";
import { first64Bits } from "./code";
import { REUSE_AFTER_SECONDS } from "./states";

/** Days are rounded: this many are never less than 30. */
const RETENTION_DAYS = REUSE_AFTER_SECONDS / 86_400 + 1;

const dayOf = (time: Date) => Math.floor(time.getTime() / DAY_MS);
const row = ({ codeHash, at }: Used) => ({ hash: first64Bits(codeHash), day: dayOf(at) });
const overAt = (now: Date) => ({ day: { lte: dayOf(now) - RETENTION_DAYS } });

interface Used {
  codeHash: string;
  at: Date;
}

/** Records a code as used. A unique violation if it was used before (contract, section 4: states). */
export const insertUsedCode = (used: Used): Insert => insert("UsedLetters", row(used));

/** The same for codes that are in use: those from before this table was there are not in it. */
export const upsertUsedCodes = (used: Used[]): Insert =>
  insert("UsedLetters", used.map(row), { unique: ["hash"], set: [] });

/** Whether one of these codes was used. */
export async function areCodesUsed(codeHashes: string[]): Promise<boolean> {
  return (await db.usedLetters.count({ where: { hash: { in: codeHashes.map(first64Bits) } } })) > 0;
}

/** Frees these codes, if they were used more than 30 days ago. */
export async function freeUsedCodes(codeHashes: string[], now: Date): Promise<void> {
  await db.usedLetters.deleteMany({ where: { ...overAt(now), hash: { in: codeHashes.map(first64Bits) } } });
}

/** Frees all codes that were used more than 30 days ago. */
export const sweepUsedCodes = (now: Date): Promise<number> =>
  deleteInBatches((tx, limit) => tx.usedLetters.deleteMany({ where: overAt(now), limit }));
