import type { Caller } from "@/lib/accounts/identity/user";
import { type AuditEvent, auditTrail, countedEvents } from "@/lib/platform/audit";
import type { AuditAction } from "@/lib/platform/audit-events";
import { ENDS_SOON_MS } from "@/lib/platform/bounds";
import { db } from "@/lib/platform/db/client";
import { ApiError, invalidParameter, keyNotFound } from "@/lib/platform/errors";
import { DAY_MS } from "@/lib/platform/time";
import { findKey, requireManager } from "./access";
import { dataOf } from "./data";
import type { KeyRow } from "./queries";
import { notEnded } from "./until";

interface TrailPage {
  limit: number;
  /** An event's id: only older ones. */
  before?: number;
}

/** The events of an existing key, newest first, for its manager. Throws 403 `not_creator`. */
export async function trailOf(
  caller: Caller,
  row: Pick<KeyRow, "id" | "creatorId">,
  { limit, before }: TrailPage,
): Promise<AuditEvent[]> {
  requireManager(caller, row);
  return auditTrail({ subjectId: row.id }, limit, before);
}

/** How many events about keys are counted, of the latest hours in which that was so. */
const COUNTED_HOURS = 5;
/** Events that say how many more there were, of all kinds, among which those of keys are looked for. */
const COUNTED_READ = 500;
/** Creators of one key, the latest first. */
const CREATORS_READ = 20;

/**
 * What the key's creators did to keys since this one exists, more often than events are recorded: the key's own may be
 * among them. Throws 403 `not_creator`.
 */
export async function countedChanges(
  caller: Caller,
  row: Pick<KeyRow, "id" | "creatorId" | "createdAt">,
): Promise<AuditEvent[]> {
  requireManager(caller, row);
  const before = await createdBy(row.id, CREATORS_READ);
  const events = await countedEvents([row.creatorId, ...before], COUNTED_READ);
  const ofKeys = events.filter(({ action, at }) => /^(?:key|claim)\./.test(action) && at >= row.createdAt);
  return ofKeys.slice(0, COUNTED_HOURS);
}

/**
 * The same for a deleted key, for its last creator. Throws 404 `key_not_found` if the caller did not, or nothing
 * is recorded of the key.
 */
export async function trailOfDeleted(
  caller: Caller,
  keyId: string,
  { limit, before }: TrailPage,
): Promise<AuditEvent[]> {
  // If its creation was only counted, its end may not be.
  const [creator = (await actorsOf(keyId, ["key.delete"], 1))[0]] = await createdBy(keyId, 1);
  if (!creator || (caller.role !== "admin" && creator !== caller.id)) throw keyNotFound();
  return auditTrail({ subjectId: keyId }, limit, before);
}

/** Who created this key or accepted it, the latest first, of those that are recorded. */
const createdBy = (keyId: string, limit: number) => actorsOf(keyId, ["key.create", "key.accept"], limit);

async function actorsOf(keyId: string, actions: AuditAction[], limit: number): Promise<string[]> {
  const events = await db.auditEvent.findMany({
    where: { subjectId: keyId, action: { in: actions } },
    select: { actorId: true },
    orderBy: { id: "desc" },
    take: limit,
  });
  return events.flatMap(({ actorId }) => actorId ?? []);
}

/** For how long news is shown to users who do not dismiss it. */
const NEWS_RETENTION_MS = 30 * DAY_MS;
/** How many of each kind the page shows. */
const MAX_ITEMS = 5;

/** One thing that happened: with a key, another user, or at a time. */
export interface KeyItem {
  id: string;
  name: string;
  user: string;
  at: Date;
}

/** Some of what happened, and how much more there is. */
interface Some {
  items: KeyItem[];
  total: number;
}

/** What a user should know about keys; all of it happened before `at`. */
export interface News {
  at: Date;
  /** Keys that others gave the user, since when. */
  received: Some;
  /** Keys of others whose access ends within a week, and when. */
  ending: Some;
  /** Who claimed keys of the user, and when. */
  claimed: Some;
}

const KEY = { id: true, name: true, creator: { select: { username: true } } } as const;

/** What happened to the user's keys since the user last dismissed the news, of the last 30 days. */
export async function newsFor({ id: userId }: Pick<Caller, "id">, now = new Date()): Promise<News> {
  const seen = await db.keysTold.findUnique({ where: { userId }, select: { at: true } });
  const since = new Date(Math.max(now.getTime() - NEWS_RETENTION_MS, seen?.at.getTime() ?? 0));
  const others = { userId, hiddenAt: null, key: { creatorId: { not: userId } } };
  const soon = { gt: now, lte: new Date(now.getTime() + ENDS_SOON_MS) };
  const [received, ending, claimed] = await Promise.all([
    holdings({ ...others, since: { gt: since, lte: now }, ...notEnded(now) }, "since"),
    holdings({ ...others, until: soon }, "until"),
    claimsOf(userId, since, now),
  ]);
  return { at: now, received, ending, claimed };
}

type HolderWhere = NonNullable<Parameters<typeof db.holder.count>[0]>["where"];

async function holdings(where: HolderWhere, by: "since" | "until"): Promise<Some> {
  const total = await db.holder.count({ where });
  if (total === 0) return { items: [], total };
  const rows = await db.holder.findMany({
    where,
    select: { since: true, until: true, key: { select: KEY } },
    orderBy: [{ [by]: by === "since" ? "desc" : "asc" }, { keyId: "asc" }],
    take: MAX_ITEMS,
  });
  const items = rows.map(({ since, until, key: { id, name, creator } }) => ({
    id,
    name,
    user: creator.username,
    at: by === "since" ? since : (until ?? since),
  }));
  return { items, total };
}

async function claimsOf(creatorId: string, since: Date, now: Date): Promise<Some> {
  const where = { at: { gt: since, lte: now }, link: { batch: { claimed: { gt: 0 }, key: { creatorId } } } };
  const total = await db.claim.count({ where });
  if (total === 0) return { items: [], total };
  const rows = await db.claim.findMany({
    where,
    select: {
      at: true,
      user: { select: { username: true } },
      link: { select: { batch: { select: { key: { select: { id: true, name: true } } } } } },
    },
    orderBy: [{ at: "desc" }, { userId: "asc" }],
    take: MAX_ITEMS,
  });
  const items = rows.map(({ at, user, link: { batch } }) => ({ ...batch.key, user: user.username, at }));
  return { items, total };
}

/** The user has seen what happened until then. Throws 400 for a time in the future. */
export async function markNewsSeen({ id }: Pick<Caller, "id">, at: Date, now = new Date()): Promise<void> {
  if (!(at <= now)) throw invalidParameter("The time of the news cannot be in the future.");
  // A page that was opened earlier undoes nothing.
  await db.keysTold.upsert({ where: { userId: id }, create: { userId: id, at }, update: {} });
  await db.keysTold.updateMany({ where: { userId: id, at: { lt: at } }, data: { at } });
}

/**
 * What a user shared or received by claim links and offers, for the archive: the links of their keys, without the
 * secrets in them; what they claimed; and the offers that wait, of their keys and to them.
 */
export async function claimsAndOffersOf(userId: string) {
  const [claimLinks, claims, offers] = await Promise.all([
    db.claimBatch.findMany({
      where: { key: { creatorId: userId } },
      omit: { id: true },
      orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    }),
    db.claim.findMany({
      where: { userId },
      select: { at: true, link: { select: { batch: { select: { keyId: true } } } } },
      orderBy: { at: "asc" },
    }),
    db.keyOffer.findMany({
      where: { OR: [{ userId }, { key: { creatorId: userId } }] },
      select: { keyId: true, at: true, user: { select: { username: true } } },
      orderBy: { at: "asc" },
    }),
  ]);
  return {
    claimLinks,
    claims: claims.map(({ at, link }) => ({ key: link.batch.keyId, at })),
    offers: offers.map(({ keyId, at, user }) => ({ key: keyId, to: user.username, at })),
  };
}

/** The secret of a key that the caller holds. Throws 404 `key_not_found`, 403 `not_holder`, 500 `data_damaged`. */
export async function revealData(caller: Caller, keyId: string): Promise<string> {
  const row = await findKey(caller, keyId);
  if (row.since === null) throw new ApiError(403, "not_holder", "You do not hold this key.");
  return dataOf(row);
}
