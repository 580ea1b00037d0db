import { OPERATOR } from "@/lib/audit";
import { db } from "@/lib/db/client";

/** A network that is blocked, and since when. */
export interface BlockedNetwork {
  id: number;
  network: string;
  reason: string;
  since: Date;
  /** Null: until somebody ends it. */
  until: Date | null;
  /** Who blocked it: a username, or "operator" for the command; null if the account is gone. */
  by: string | null;
}

/** The blocks that have not ended, latest first. `before` is the id of one: only earlier ones. */
export async function blockedNetworks(limit: number, before?: number, now = new Date()): Promise<BlockedNetwork[]> {
  const blocks = await db.blockedNetwork.findMany({
    where: { id: { lt: before }, OR: [{ until: null }, { until: { gt: now } }] },
    orderBy: { id: "desc" },
    take: limit,
  });
  const actorIds = [...new Set(blocks.map(({ actorId }) => actorId))];
  const actors = await db.user.findMany({ where: { id: { in: actorIds } }, select: { id: true, username: true } });
  const names = new Map([[OPERATOR, OPERATOR], ...actors.map(({ id, username }): [string, string] => [id, username])]);
  return blocks.map(({ id, actorId, ...block }) => ({ ...block, id: Number(id), by: names.get(actorId) ?? null }));
}
