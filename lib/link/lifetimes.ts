import type { Prisma } from "@/lib/db/client";

// Contract, section 4: life, collecting, letters.
export const APPROVE_WITHIN_SECONDS = 10 * 60;
export const COLLECT_WITHIN_SECONDS = 5 * 60;
export const ASK_AGAIN_WITHIN_SECONDS = 10;
export const REUSE_AFTER_SECONDS = 30 * 24 * 60 * 60;
/** How often a program is told to ask. */
export const POLL_INTERVAL_SECONDS = 2;

export function secondsAfter(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1000);
}

/** Codes that nobody can approve or collect any more, and never will: their masks only stand in the way. */
export function deadAt(now: Date): Prisma.LinkCodeWhereInput {
  return {
    OR: [
      { status: "denied" },
      { status: "pending", expiresAt: { lte: now } },
      { status: "approved", collectBy: { lte: now } },
      { status: "collected", collectedAt: { lte: secondsAfter(now, -ASK_AGAIN_WITHIN_SECONDS) } },
    ],
  };
}
