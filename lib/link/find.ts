import { audit } from "@/lib/audit";
import { db, writeWith } from "@/lib/db/client";
import { env } from "@/lib/env";
import { ApiError, rateLimited } from "@/lib/errors";
import { limiter } from "@/lib/limits";
import type { Network } from "@/lib/network";
import type { LinkCode } from "@/prisma/generated/sqlite/client";
import { limitEntry } from "./guesses";
import { storedCodeHash } from "./hashes";

const wrongEntries = limiter("link wrong entries", env.LINK_WRONG_ENTRIES_PER_10_MINUTES, 600);

/** Who enters a code, or decides about it, and where. */
export interface Person {
  id: string;
  network: Network;
}

/**
 * The id of the request with these letters, for a signed-in user to decide, or of one that the same user decided. What others decided
 * is not told: until its ten minutes are over, such a request is found like one that waits. Anything else counts as a wrong entry, for
 * the account and its network. Throws 429 `rate_limited`, or 404 `code_unusable` for every code that cannot be used, whatever
 * became of it.
 */
export async function findRequest(person: Person, letters: string, now = new Date()): Promise<string> {
  // Counted before it is looked at, and taken back when it was right: many entries at once gain nothing.
  const takeBack = await limitEntry(person.network, now);
  const { allowed, isFirstRefusal, retryAfter } = await wrongEntries.take(person.id);
  if (!allowed) {
    if (isFirstRefusal) await audit({ at: now, action: "link.refuse", subjectId: person.id, actorId: person.id, detail: { limit: "wrong entries" } });
    throw rateLimited(retryAfter, `Too many wrong codes. Try again in ${inWords(retryAfter)}.`);
  }
  const link = await db.linkCode.findUnique({ where: { codeHash: await storedCodeHash(letters) } });
  if (!link || (link.expiresAt <= now && link.userId !== person.id)) throw notFound();
  await noteEntry(person, link, now);
  await takeBack();
  await wrongEntries.giveBack(person.id);
  return link.id;
}

/** Why somebody cannot decide: one sentence for whatever others made of the code, so that nobody learns it. */
export const unusable = () => new ApiError(409, "code_unusable", "This code can't be used any more. Ask the program for a new one.");

const notFound = () =>
  new ApiError(404, "code_unusable", "This code can't be used. Compare each letter with what the program shows, or ask it for a new code.");

/** Once for each account and network; who approves is told of the others. */
async function noteEntry({ id, network }: Person, link: LinkCode, now: Date): Promise<void> {
  await writeWith(
    (tx) => tx.$queryRaw<{ linkId: string }[]>`
      INSERT INTO "LinkEntry" ("linkId", "userId", "network", "at") VALUES (${link.id}, ${id}, ${network.id}, ${now})
      ON CONFLICT ("linkId", "userId") DO UPDATE SET "network" = excluded."network", "at" = excluded."at"
        WHERE "LinkEntry"."network" <> excluded."network"
      RETURNING "linkId"`,
    (tx) => audit({ at: now, action: "link.enter", subjectId: link.id, actorId: id, detail: { network: network.id } }, tx),
  );
}

function inWords(seconds: number): string {
  if (seconds < 90) return `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
