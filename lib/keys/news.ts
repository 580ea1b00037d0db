import type { Caller } from "@/lib/accounts/identity/user";
import { ENDS_SOON_MS } from "@/lib/platform/bounds";
import { db } from "@/lib/platform/db/client";
import { invalidParameter } from "@/lib/platform/errors";
import { DAY_MS } from "@/lib/platform/time";
import { notEnded } from "./until";

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
