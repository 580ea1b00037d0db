import { db, sql } from "@/lib/platform/db/client";
import { isUniqueViolation } from "@/lib/platform/db/errors";
import { requireFreeSpace } from "@/lib/platform/db/free-space";
import { insert } from "@/lib/platform/db/statement";
import { env } from "@/lib/platform/env";
import { rateLimited, unavailable } from "@/lib/platform/errors";
import { newOrderedId } from "@/lib/platform/ids";
import { leasedLimiter } from "@/lib/platform/limits/leased";
import { networkLimiter } from "@/lib/platform/limits/limits";
import type { Network } from "@/lib/platform/network/network";
import { DAY_MS, within } from "@/lib/platform/time";
import { closeTo, drawCode, formerHashes, hashCode, hashMasks } from "./code";
import { auditRefusal } from "./limits";
import { DEVICE, hashPollSecret, newPollSecret } from "./poll-secret";
import type { CodeOptions } from "./program";
import type { Requester } from "./requester";
import {
  APPROVE_WITHIN_SECONDS,
  deadAt,
  PENDING,
  POLL_INTERVAL_SECONDS,
  REUSE_AFTER_SECONDS,
  secondsAfter,
  TRANSITIONS,
} from "./states";
import { areCodesUsed, freeUsedCodes, insertUsedCode } from "./used-codes";

/** With as many live codes as the default allows, one draw in four succeeds: 100 draws never fail. */
const DRAWS = 100;
const COUNT_AGAIN_AFTER_MS = 10_000;

/** One network's share of all codes: 1/64. So a /48, which may have 16 times as many, takes no more than a quarter. */
const PART_OF_A_NETWORK = 64;

/** The period of LINK_CODES_PER_10_MINUTES. */
const SUSTAINED_SECONDS = 10 * 60;
/** Codes of so many periods can be live at a time. */
const LIVE_PERIODS = Math.max(1, Math.ceil(APPROVE_WITHIN_SECONDS / SUSTAINED_SECONDS));
/** The period of LINK_CODES_PER_30_SECONDS. */
const BURST_SECONDS = 30;

const burst = networkLimiter("link codes burst", env.LINK_CODES_PER_30_SECONDS, {
  seconds: BURST_SECONDS,
  counter: leasedLimiter,
});
const sustained = networkLimiter(
  "link codes",
  Math.min(env.LINK_CODES_PER_10_MINUTES, Math.ceil(env.LINK_OUTSTANDING_CODES / PART_OF_A_NETWORK / LIVE_PERIODS)),
  { seconds: SUSTAINED_SECONDS, counter: leasedLimiter },
);
/**
 * A day has space for so many full windows: more than a house, an office or a school needs, and little enough that the
 * networks of one attacker do not use up the codes, which are not issued again for 30 days.
 */
const WINDOWS_A_DAY = 10;
const daily = networkLimiter("link codes of a day", WINDOWS_A_DAY * env.LINK_CODES_PER_10_MINUTES, {
  seconds: DAY_MS / 1_000,
  counter: leasedLimiter,
});

export interface NewCode {
  code: string;
  /** Seconds during which a user can approve it. */
  expiresIn: number;
  /** Seconds that the program should wait between two polls. */
  interval: number;
  id: string;
  /** Proves that the program is the one that got the code. */
  secret: string;
}

/**
 * A new code for a program to show. It may request a name and an access with it. Throws 429 `rate_limited` if its
 * network requests too many, 503 `unavailable` if too many codes are pending, and 507 `storage_full`.
 */
export async function createCode(
  requester: Requester,
  { now = new Date(), ...options }: CodeOptions & { now?: Date } = {},
): Promise<NewCode> {
  await limitCreation(requester.network, now);
  await requireFreeSpace();
  await refuseWhenExhausted(now);
  const secret = (options.isDevice ? DEVICE : "") + newPollSecret();
  for (let draw = 0; draw < DRAWS; draw++) {
    const code = drawCode();
    const id = newOrderedId(now);
    if (await register({ id, code, requester, secret, ...options }, now)) {
      outstanding.count++;
      return { code, expiresIn: APPROVE_WITHIN_SECONDS, interval: POLL_INTERVAL_SECONDS, id, secret };
    }
    // Another code is free more often than this one can be freed, unless few are left.
    if (draw > 0) await freeCode(code, now);
  }
  throw exhausted();
}

interface Registration extends CodeOptions {
  id: string;
  code: string;
  requester: Requester;
  secret: string;
}

/** Stores the request. Returns false if the code is too close to a live one or was used recently. */
async function register(
  { id, code, requester, secret, name, access, audience, isDevice }: Registration,
  now: Date,
): Promise<boolean> {
  const { network, program, webPage } = requester;
  const codeHash = hashCode(code);
  if (await isUsedUnderFormerSecret(code)) return false;
  try {
    await sql.batch([
      insertUsedCode({ codeHash, at: now }),
      insert("LinkCode", {
        id,
        codeHash,
        status: TRANSITIONS.create.to,
        createdAt: now,
        expiresAt: secondsAfter(now, APPROVE_WITHIN_SECONDS),
        network: network.id,
        program,
        name: name ?? null,
        // Never the account's token: whoever can change the page could use it, and it proves who its user is to anybody
        // (contract, section 4: token).
        access: access ?? (webPage === null && audience === undefined ? null : "everything"),
        audience: audience ?? null,
        webPage,
        secretHash: hashPollSecret(secret),
        boundAt: isDevice ? now : null,
      }),
      insert("LinkMask", { linkId: id, ...hashMasks(code) }),
    ]);
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

/**
 * The unique columns do not cover codes issued under another secret of AUTH_SECRET. Such codes are no longer issued.
 */
async function isUsedUnderFormerSecret(code: string): Promise<boolean> {
  const hashes = formerHashes(code);
  if (hashes.length === 0) return false;
  return (
    (await db.linkMask.count({ where: closeTo(code, "former secrets") })) +
      (await db.linkCode.count({ where: { codeHash: { in: hashes } } })) >
      0 || (await areCodesUsed(hashes))
  );
}

/** Removes what is only waiting for the sweep. */
async function freeCode(code: string, now: Date): Promise<void> {
  await db.linkMask.deleteMany({ where: { ...closeTo(code, "all secrets"), link: deadAt(now) } });
  const hashes = [hashCode(code), ...formerHashes(code)];
  await freeUsedCodes(hashes, now);
  await db.linkCode.updateMany({
    where: {
      codeHash: { in: hashes },
      createdAt: { lte: secondsAfter(now, -REUSE_AFTER_SECONDS) },
    },
    data: { codeHash: null },
  });
}

async function limitCreation(network: Network, now: Date): Promise<void> {
  if (network.kind === "unknown") return;
  for (const limit of [burst, sustained, daily]) {
    const { allowed, isFirstRefusal, retryAfter } = await limit.consume(network.id);
    if (allowed) continue;
    if (isFirstRefusal) await auditRefusal(network, "new codes", now);
    throw rateLimited(retryAfter, "Too many new codes for this network. Try again later.");
  }
}

/** Counting a million rows for each request would be slow, so between two counts this process adds its own codes. */
const outstanding = { count: 0, countedAt: 0 };

async function refuseWhenExhausted(now: Date): Promise<void> {
  const age = now.getTime() - outstanding.countedAt;
  if (age < 0 || age > COUNT_AGAIN_AFTER_MS) {
    outstanding.countedAt = now.getTime();
    outstanding.count = await db.linkCode.count({
      where: { ...PENDING, createdAt: within(APPROVE_WITHIN_SECONDS * 1_000, now) },
    });
  }
  if (outstanding.count >= env.LINK_OUTSTANDING_CODES) throw exhausted();
}

const exhausted = () => unavailable("Too many codes are waiting to be used. Try again in a minute.");
