import type { Caller } from "@/lib/accounts/identity/user";
import { audit, by } from "@/lib/platform/audit";
import { transaction } from "@/lib/platform/db/client";
import { ApiError } from "@/lib/platform/errors";
import { lockManaged, requireManager } from "../access";
import type { KeyRow } from "../queries";

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
