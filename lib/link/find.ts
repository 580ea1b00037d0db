import { audit } from "@/lib/audit";
import { db } from "@/lib/db/client";
import { env } from "@/lib/env";
import { ApiError, rateLimited } from "@/lib/errors";
import { limiter } from "@/lib/limits";
import type { LinkCode } from "@/prisma/generated/sqlite/client";
import { storedCodeHash } from "./hashes";

const wrongEntries = limiter("link wrong entries", env.LINK_WRONG_ENTRIES_PER_10_MINUTES, 600);

/**
 * The id of the request with these letters, for a signed-in user to decide, or of one that the same user approved. Anything
 * else counts as a wrong entry. Throws 429 `rate_limited`, 404 `code_not_found`, 410 `code_expired`, or 409
 * `code_used` or `code_denied`, each with a sentence for a person.
 */
export async function findRequest(user: { id: string }, letters: string, now = new Date()): Promise<string> {
  // Counted before it is looked at, and taken back when it was right: many entries at once gain nothing.
  const { allowed, taken, retryAfter } = await wrongEntries.take(user.id);
  if (!allowed) {
    if (taken === env.LINK_WRONG_ENTRIES_PER_10_MINUTES + 1)
      await audit({ at: now, action: "link.refuse", subjectId: user.id, actorId: user.id, detail: { limit: "wrong entries" } });
    throw rateLimited(retryAfter, `Too many wrong codes. Try again in ${inWords(retryAfter)}.`);
  }
  const link = await db.linkCode.findUnique({ where: { codeHash: await storedCodeHash(letters) } });
  if (!link) throw new ApiError(404, "code_not_found", "There is no such code. Compare each letter with what the program shows.");
  const approvedIt = link.userId === user.id && link.status !== "denied";
  const refusal = approvedIt ? null : whyUndecidable(link, now);
  if (refusal) throw refusal;
  await wrongEntries.giveBack(user.id);
  return link.id;
}

/** Why nobody can approve or deny this request any more; null while somebody can. */
export function whyUndecidable(link: LinkCode | null, now: Date): ApiError | null {
  if (link?.status === "pending" && link.expiresAt > now) return null;
  if (link?.status === "denied") return new ApiError(409, "code_denied", "This code was denied. Ask the program for a new one to link it after all.");
  if (!link || link.status === "pending") return new ApiError(410, "code_expired", "This code has expired. Ask the program for a new one.");
  return new ApiError(409, "code_used", "This code was already used. A code links once: ask the program for a new one.");
}

function inWords(seconds: number): string {
  if (seconds < 90) return `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
