import { db } from "@/lib/db/client";
import { BATCH, inBatches } from "@/lib/db/in-batches";
import { insert } from "@/lib/db/insert";
import type { Insert } from "@/lib/db/statement";
import { DAY_MS } from "@/lib/hours";
import { first64Bits } from "./hashes";
import { REUSE_AFTER_SECONDS } from "./lifetimes";

/** Days are rounded: this many are never less than 30. */
const KEPT_DAYS = REUSE_AFTER_SECONDS / 86_400 + 1;

const dayOf = (time: Date) => Math.floor(time.getTime() / DAY_MS);
const row = ({ codeHash, at }: Used) => ({ hash: first64Bits(codeHash), day: dayOf(at) });
const overAt = (now: Date) => ({ day: { lte: dayOf(now) - KEPT_DAYS } });

interface Used {
  codeHash: string;
  at: Date;
}

/** Gives letters out. A unique violation if they were given out before (contract, section 4: states). */
export const giveOut = (used: Used): Insert => insert("UsedLetters", row(used));

/** The same for letters that are in use: those of codes from before this table was there are not in it. */
export const keepUsed = (used: Used[]): Insert => insert("UsedLetters", used.map(row), { unique: ["hash"], set: [] });

/** Whether one of these codes was given out. */
export async function areUsed(codeHashes: string[]): Promise<boolean> {
  return (await db.usedLetters.count({ where: { hash: { in: codeHashes.map(first64Bits) } } })) > 0;
}

/** Frees these letters, if they were given out more than 30 days ago. */
export async function freeUsed(codeHashes: string[], now: Date): Promise<void> {
  await db.usedLetters.deleteMany({ where: { ...overAt(now), hash: { in: codeHashes.map(first64Bits) } } });
}

/** Frees all letters that were given out more than 30 days ago. */
export async function sweepUsedLetters(now: Date): Promise<void> {
  await inBatches(async () => {
    const over = await db.usedLetters.findMany({ where: overAt(now), select: { hash: true }, take: BATCH });
    return (await db.usedLetters.deleteMany({ where: { hash: { in: over.map(({ hash }) => hash) } } })).count;
  });
}
