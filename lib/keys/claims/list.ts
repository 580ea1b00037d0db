import type { Caller } from "@/lib/accounts/identity/user";
import { db } from "@/lib/platform/db/client";
import { requireManager } from "../access";
import { readPage } from "../list-queries";
import type { KeyRow } from "../queries";

/** Batches per page of the list. */
export const BATCHES_A_PAGE = 10;
/** Names of claimers that the list shows of a batch; the key's history has all. */
const MAX_CLAIMERS = 5;

/** Links that were created together, as their manager sees them. */
export interface Batch {
  id: string;
  note: string;
  links: number;
  most: number;
  claimed: number;
  days: number | null;
  createdAt: Date;
  expiresAt: Date;
  /** None of its links can be used any more. */
  isOver: boolean;
  /** Who claimed last, and the number of the link. */
  claims: { username: string; number: number; at: Date }[];
}

/** One page of the links of a key, newest first; and how many batches there are. Throws 403 `not_creator`. */
export async function listClaimLinks(
  caller: Caller,
  row: KeyRow,
  options: { page: string; now?: Date },
): Promise<{ batches: Batch[]; total: number; page: number }> {
  requireManager(caller, row);
  const { now = new Date() } = options;
  const total = await db.claimBatch.count({ where: { keyId: row.id } });
  const page = readPage(options.page, total, BATCHES_A_PAGE);
  const rows = await db.claimBatch.findMany({
    where: { keyId: row.id },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    skip: (page - 1) * BATCHES_A_PAGE,
    take: BATCHES_A_PAGE,
  });
  const batches: Batch[] = [];
  for (const { keyId, ...batch } of rows) {
    const isOver = batch.expiresAt <= now || batch.claimed >= batch.links * batch.most;
    batches.push({ ...batch, isOver, claims: batch.claimed > 0 ? await latestClaims(batch.id) : [] });
  }
  return { batches, total, page };
}

async function latestClaims(batchId: string): Promise<Batch["claims"]> {
  const claims = await db.claim.findMany({
    where: { link: { batchId } },
    select: { at: true, user: { select: { username: true } }, link: { select: { number: true } } },
    orderBy: [{ at: "desc" }, { userId: "asc" }],
    take: MAX_CLAIMERS,
  });
  return claims.map(({ at, user, link }) => ({ at, username: user.username, number: link.number }));
}
