import { db } from "@/lib/db/client";
import { secondsAfter } from "./lifetimes";
import { claimedName } from "./program";
import { isLive, type LinkStatus, statusOf } from "./states";

export const RECENT_SECONDS = 6 * 60 * 60;
/** The latest are read; further ones are only said to be there. SQLite takes 999 values in one statement. */
export const MOST_RECENT = 900;

/** A request as an operator sees it. It never has a letter of its code. */
export interface RecentLink {
  id: string;
  status: LinkStatus;
  /** What the program calls itself; may be empty. A claim, not a fact. */
  program: string;
  /** The origin of the web page that asked; null if none did. */
  webPage: string | null;
  network: string;
  createdAt: Date;
  /** It can still be approved or collected. */
  isLive: boolean;
  /** On how many other networks programs that are not known to be its own polled for it, while it was live. */
  onlookers: number;
  /** How many accounts entered its code on the page. */
  entries: number;
}

/**
 * The requests of the last six hours, latest first, 900 at most, and whether these are all. An approval counts until
 * its time is over, also if its account has changed since.
 */
export async function recentLinks(now = new Date()): Promise<{ links: RecentLink[]; isAll: boolean }> {
  const since = secondsAfter(now, -RECENT_SECONDS);
  const rows = await db.linkCode.findMany({
    where: { createdAt: { gt: since } },
    orderBy: { createdAt: "desc" },
    take: MOST_RECENT + 1,
    select: {
      id: true,
      codeHash: true,
      status: true,
      createdAt: true,
      expiresAt: true,
      collectBy: true,
      network: true,
      program: true,
      name: true,
      webPage: true,
    },
  });
  const shown = rows.slice(0, MOST_RECENT);
  const [networks, entries] = await Promise.all([networksOf(shown), entriesOf(shown)]);
  const links = shown.map((link) => ({
    id: link.id,
    status: statusOf(link, true, now),
    program: claimedName(link),
    webPage: link.webPage,
    network: link.network,
    createdAt: link.createdAt,
    isLive: isLive(link, now),
    onlookers: networks.get(link.codeHash ?? "")?.size ?? 0,
    entries: entries.get(link.id) ?? 0,
  }));
  return { links, isAll: rows.length <= MOST_RECENT };
}

interface Asked {
  id: string;
  codeHash: string | null;
  network: string;
  createdAt: Date;
}

/** The networks that polled for each code, by its hash. */
async function networksOf(links: Asked[]): Promise<Map<string, Set<string>>> {
  const byHash = new Map(links.flatMap((link) => (link.codeHash === null ? [] : [[link.codeHash, link] as const])));
  const questions = await db.linkQuestion.findMany({
    where: { codeHash: { in: [...byHash.keys()] } },
    select: { codeHash: true, network: true, at: true },
    take: 10 * MOST_RECENT,
  });
  const found = new Map<string, Set<string>>();
  for (const { codeHash, network, at } of questions) {
    const link = byHash.get(codeHash);
    if (!link || at < link.createdAt || network === link.network) continue;
    found.set(codeHash, (found.get(codeHash) ?? new Set()).add(network));
  }
  return found;
}

async function entriesOf(links: Asked[]): Promise<Map<string, number>> {
  const counted = await db.linkEntry.groupBy({
    by: ["linkId"],
    where: { linkId: { in: links.map(({ id }) => id) } },
    _count: true,
  });
  return new Map(counted.map(({ linkId, _count }) => [linkId, _count]));
}
