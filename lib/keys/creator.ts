import { db } from "@/lib/db/client";
import type { Caller } from "@/lib/user";

/** The creator of the key with this id; null if there is no such key. */
export async function creatorOf(keyId: string): Promise<Caller | null> {
  const key = await db.key.findUnique({
    where: { id: keyId },
    select: { creator: { select: { id: true, username: true, role: true } } },
  });
  return key?.creator ?? null;
}
