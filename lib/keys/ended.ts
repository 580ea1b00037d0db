import { db } from "@/lib/db/client";
import type { Caller } from "@/lib/user";

/** When the caller's access to a key ended, if it did and nobody extended it. Null for a hidden one. */
export async function endedFor({ id: userId }: Caller, keyId: string, now = new Date()): Promise<Date | null> {
  const ended = await db.holder.findFirst({
    where: { keyId, userId, hiddenAt: null, until: { lte: now } },
    select: { until: true },
  });
  return ended?.until ?? null;
}
