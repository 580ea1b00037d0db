import type { Caller } from "@/lib/accounts/identity/user";
import { audit, by } from "@/lib/platform/audit";
import { db, transaction } from "@/lib/platform/db/client";
import { ApiError } from "@/lib/platform/errors";
import { lockManaged, requireManager } from "../access";
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

const claimsNotFound = (sentence: string, field?: string) => new ApiError(404, "claims_not_found", sentence, { field });

/**
 * Ends the links of a batch, or only the one with this number: nobody can claim with them from now on. Who has claimed
 * keeps the access. Returns how many could be used until now. Throws 403 `not_creator`, 404 `key_not_found` if the key
 * was deleted meanwhile, and `claims_not_found`.
 */
export async function endClaimLinks(
  caller: Caller,
  row: KeyRow,
  { batchId, number }: { batchId: string; number?: number },
): Promise<number> {
  requireManager(caller, row);
  return transaction(async (tx) => {
    await lockManaged(tx, row);
    const now = new Date();
    const batch = await tx.claimBatch.findFirst({ where: { id: batchId, keyId: row.id } });
    if (!batch) throw claimsNotFound("These links no longer exist.");
    if (number !== undefined && number > batch.links)
      throw claimsNotFound(`These links have the numbers 1 to ${batch.links}.`, "number");
    const of = { batchId, ...(number !== undefined && { number }) };
    const isOpen = batch.expiresAt > now;
    const open = isOpen ? await tx.claimLink.count({ where: { ...of, claimed: { lt: batch.most } } }) : 0;
    if (open === 0) return 0;
    // A link that is not stored cannot be used. Who has claimed with one stays on record.
    await tx.claimLink.deleteMany({ where: { ...of, claimed: 0 } });
    if (number !== undefined) await tx.claimLink.updateMany({ where: of, data: { claimed: batch.most } });
    const others = { batchId, claimed: { lt: batch.most } };
    // Without this, a batch that has nothing to give any more would stay for as long as it could have been used.
    if (number === undefined || (await tx.claimLink.count({ where: others })) === 0)
      await tx.claimBatch.update({ where: { id: batchId }, data: { expiresAt: now } });
    const detail = { links: String(open), ...(batch.note !== "" && { note: batch.note }) };
    await audit({ at: now, action: "claim.end", subjectId: row.id, ...by(caller, detail) }, tx);
    return open;
  }, "even on a full disk");
}
