import { audit } from "@/lib/audit";
import { db, writeTogether } from "@/lib/db/client";
import { isUniqueViolation } from "@/lib/db/errors";
import { env } from "@/lib/env";
import { rateLimited, unavailable } from "@/lib/errors";
import { newId } from "@/lib/ids";
import type { Network } from "@/lib/network";
import { networkLimiter } from "@/lib/network-limits";
import { type Asker, auditedAsker } from "./asker";
import { formerHashes, hashCode, hashMasks } from "./hashes";
import { drawLetters } from "./letters";
import { APPROVE_WITHIN_SECONDS, deadAt, POLL_INTERVAL_SECONDS, REUSE_AFTER_SECONDS, secondsAfter } from "./lifetimes";
import { hashPollSecret, newPollSecret } from "./poll-secret";

/** With as many codes alive as the default allows, one draw in four finds room: 100 draws never fail. */
const DRAWS = 100;
const COUNT_AGAIN_AFTER_MS = 10_000;

/** So small a part of all codes is a network's, so that a /48, which may have 16 times as many, takes no more than a quarter. */
const PART_OF_A_NETWORK = 64;

const burst = networkLimiter("link codes burst", env.LINK_CODES_PER_30_SECONDS, 30);
const sustained = networkLimiter(
  "link codes",
  Math.min(env.LINK_CODES_PER_10_MINUTES, Math.ceil(env.LINK_OUTSTANDING_CODES / PART_OF_A_NETWORK)),
  APPROVE_WITHIN_SECONDS,
);

export interface NewCode {
  code: string;
  /** Seconds in which a person can approve it. */
  expiresIn: number;
  /** Seconds that the program should wait between two questions. */
  interval: number;
  id: string;
  /** What the program can prove by that it is the one that the code was given to. */
  secret: string;
}

/**
 * A new code for a program to show. Throws 429 `rate_limited` when its network asks too often, and 503 `unavailable` when
 * too many codes wait for a person.
 */
export async function askForCode(asker: Asker, now = new Date()): Promise<NewCode> {
  await limitAsking(asker.network, now);
  await refuseWhenExhausted(now);
  const secret = newPollSecret();
  for (let draw = 0; draw < DRAWS; draw++) {
    const letters = drawLetters();
    const id = newId();
    if (await register({ id, letters, asker, secret }, now)) {
      outstanding.count++;
      return { code: letters, expiresIn: APPROVE_WITHIN_SECONDS, interval: POLL_INTERVAL_SECONDS, id, secret };
    }
    await freeLetters(letters, now);
  }
  throw exhausted();
}

/** Writes the request down, or answers false when the letters are too close to a live code, or were given out of late. */
async function register(request: { id: string; letters: string; asker: Asker; secret: string }, now: Date): Promise<boolean> {
  const { id, letters, asker, secret } = request;
  const { network, program, webPage } = asker;
  const expiresAt = secondsAfter(now, APPROVE_WITHIN_SECONDS);
  if (await isTakenUnderFormerSecret(letters)) return false;
  try {
    const [a, b, c, d, e, f] = hashMasks(letters);
    await writeTogether(async (tx) => {
      await tx.$executeRaw`
        INSERT INTO "LinkCode" ("id", "codeHash", "status", "createdAt", "expiresAt", "network", "program", "webPage", "secretHash")
        VALUES (${id}, ${hashCode(letters)}, 'pending', ${now}, ${expiresAt}, ${network.id}, ${program}, ${webPage}, ${hashPollSecret(secret)})`;
      await tx.$executeRaw`
        INSERT INTO "LinkMask" ("mask", "linkId") VALUES (${a}, ${id}), (${b}, ${id}), (${c}, ${id}), (${d}, ${id}), (${e}, ${id}), (${f}, ${id})`;
      await audit({ at: now, action: "link.ask", subjectId: id, actorId: null, detail: auditedAsker(asker) }, tx);
    });
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

/** The unique columns do not see codes that were given out under another secret of AUTH_SECRET. Nobody gives out such any more. */
async function isTakenUnderFormerSecret(letters: string): Promise<boolean> {
  const { codes, masks } = formerHashes(letters);
  if (codes.length === 0) return false;
  return (await db.linkMask.count({ where: { mask: { in: masks } } })) + (await db.linkCode.count({ where: { codeHash: { in: codes } } })) > 0;
}

/** Takes out of the way what only waits to be swept. */
async function freeLetters(letters: string, now: Date): Promise<void> {
  const former = formerHashes(letters);
  await db.linkMask.deleteMany({ where: { mask: { in: [...hashMasks(letters), ...former.masks] }, link: deadAt(now) } });
  await db.linkCode.updateMany({
    where: { codeHash: { in: [hashCode(letters), ...former.codes] }, createdAt: { lte: secondsAfter(now, -REUSE_AFTER_SECONDS) } },
    data: { codeHash: null },
  });
}

async function limitAsking(network: Network, now: Date): Promise<void> {
  if (network.kind === "unknown") return;
  for (const limit of [burst, sustained]) {
    const { allowed, isFirstRefusal, retryAfter } = await limit.take(network.id);
    if (allowed) continue;
    if (isFirstRefusal)
      await audit({ at: now, action: "link.refuse", subjectId: network.id, actorId: null, detail: { network: network.id, limit: "new codes" } });
    throw rateLimited(retryAfter, "Too many new codes for this network. Try again later.");
  }
}

/** Counting a million rows for each request would be slow, so between two counts this process adds its own. */
const outstanding = { count: 0, countedAt: 0 };

async function refuseWhenExhausted(now: Date): Promise<void> {
  const age = now.getTime() - outstanding.countedAt;
  if (age < 0 || age > COUNT_AGAIN_AFTER_MS) {
    outstanding.countedAt = now.getTime();
    outstanding.count = await db.linkCode.count({ where: { status: "pending", createdAt: { gt: secondsAfter(now, -APPROVE_WITHIN_SECONDS) } } });
  }
  if (outstanding.count >= env.LINK_OUTSTANDING_CODES) throw exhausted();
}

const exhausted = () => unavailable("Too many codes are waiting to be used. Try again in a minute.");
