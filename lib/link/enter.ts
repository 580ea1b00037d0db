import { audit, auditEvents } from "@/lib/platform/audit";
import { db, sql } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { rateLimited } from "@/lib/platform/errors";
import { limiter } from "@/lib/platform/limits/limits";
import type { Network } from "@/lib/platform/network/network";
import type { LinkCode } from "@/prisma/generated/sqlite/client";
import { storedCodeHash } from "./code";
import { codeNotFound } from "./errors";
import { limitEntry } from "./limits";
import { enter } from "./queries";
import { isInTime } from "./states";

const WRONG_ENTRIES_SECONDS = 10 * 60;
const wrongEntries = limiter("link wrong entries", env.LINK_WRONG_ENTRIES_PER_10_MINUTES, WRONG_ENTRIES_SECONDS);

/** The user who enters or decides a code, and the network. */
export interface Actor {
  id: string;
  network: Network;
}

/**
 * The id of the request with this code, for a signed-in user to decide, or of one that the same user decided.
 * Decisions of others are hidden: until its time is over, such a request looks pending. Any other code counts
 * as a wrong entry, for the account and its network. Throws 429 `rate_limited`, or 404 `code_not_found` for every
 * unusable code, whatever became of it.
 */
export async function findRequest(actor: Actor, code: string, now = new Date()): Promise<string> {
  // Counted before it is checked, and given back if it was right: concurrent entries gain nothing.
  const undo = await limitEntry(actor.network, now);
  const { allowed, isFirstRefusal, retryAfter } = await wrongEntries.consume(actor.id);
  if (!allowed) {
    if (isFirstRefusal)
      await audit({
        at: now,
        action: "link.refuse",
        subjectId: actor.id,
        actorId: actor.id,
        detail: { limit: "wrong entries" },
      });
    throw rateLimited(retryAfter, `Too many wrong codes. Try again in ${inWords(retryAfter)}.`);
  }
  const link = await db.linkCode.findUnique({ where: { codeHash: await storedCodeHash(code) } });
  if (!link || (!isInTime(link, now) && link.userId !== actor.id)) throw codeNotFound();
  await recordEntry(actor, link, now);
  await undo();
  await wrongEntries.refund(actor.id);
  return link.id;
}

/** Once per account and network; the approver sees the others. */
async function recordEntry({ id, network }: Actor, link: LinkCode, now: Date): Promise<void> {
  await sql.batch([
    enter({ linkId: link.id, userId: id, network: network.id, at: now }),
    auditEvents({ at: now, action: "link.enter", subjectId: link.id, actorId: id, detail: { network: network.id } }),
  ]);
}

function inWords(seconds: number): string {
  if (seconds < 90) return `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
