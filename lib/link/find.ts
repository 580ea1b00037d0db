import { audit, auditEvents } from "@/lib/audit";
import { db, sql } from "@/lib/db/client";
import { env } from "@/lib/env";
import { ApiError, rateLimited } from "@/lib/errors";
import { limiter } from "@/lib/limits";
import type { Network } from "@/lib/network";
import type { LinkCode } from "@/prisma/generated/sqlite/client";
import { limitEntry } from "./guesses";
import { storedCodeHash } from "./hashes";
import { enter } from "./rows";
import { isInTime } from "./states";

const WRONG_ENTRIES_SECONDS = 10 * 60;
const wrongEntries = limiter("link wrong entries", env.LINK_WRONG_ENTRIES_PER_10_MINUTES, WRONG_ENTRIES_SECONDS);

/** The person who enters or decides a code, and the network. */
export interface Person {
  id: string;
  network: Network;
}

/**
 * The id of the request with these letters, for a signed-in user to decide, or of one that the same user decided.
 * Decisions of others are hidden: until its time is over, such a request looks pending. Any other code counts
 * as a wrong entry, for the account and its network. Throws 429 `rate_limited`, or 404 `code_not_found` for every
 * unusable code, whatever became of it.
 */
export async function findRequest(person: Person, letters: string, now = new Date()): Promise<string> {
  // Counted before it is checked, and given back if it was right: concurrent entries gain nothing.
  const takeBack = await limitEntry(person.network, now);
  const { allowed, isFirstRefusal, retryAfter } = await wrongEntries.take(person.id);
  if (!allowed) {
    if (isFirstRefusal)
      await audit({
        at: now,
        action: "link.refuse",
        subjectId: person.id,
        actorId: person.id,
        detail: { limit: "wrong entries" },
      });
    throw rateLimited(retryAfter, `Too many wrong codes. Try again in ${inWords(retryAfter)}.`);
  }
  const link = await db.linkCode.findUnique({ where: { codeHash: await storedCodeHash(letters) } });
  if (!link || (!isInTime(link, now) && link.userId !== person.id)) throw codeNotFound();
  await noteEntry(person, link, now);
  await takeBack();
  await wrongEntries.giveBack(person.id);
  return link.id;
}

/**
 * Why somebody cannot decide: one sentence for everything that others did with the code, so that nobody learns which.
 */
export const unusable = (sentence = "This code can't be used any more. Ask the program for a new one.") =>
  new ApiError(409, "code_unusable", sentence);

const NOT_FOUND = "This code can't be used. Compare each letter with what the program shows, or ask it for a new code.";
export const codeNotFound = (sentence = NOT_FOUND) => new ApiError(404, "code_not_found", sentence);

/** Once per account and network; the approver is told of the others. */
async function noteEntry({ id, network }: Person, link: LinkCode, now: Date): Promise<void> {
  await sql.batch([
    enter(link.id, id, network.id, now),
    auditEvents({ at: now, action: "link.enter", subjectId: link.id, actorId: id, detail: { network: network.id } }),
  ]);
}

function inWords(seconds: number): string {
  if (seconds < 90) return `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
