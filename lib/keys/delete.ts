import type { Caller } from "@/lib/accounts/identity/user";
import { audit, by } from "@/lib/platform/audit";
import { transaction } from "@/lib/platform/db/client";
import { keepResult } from "@/lib/platform/requests/results";
import { requireManager, staleKeyError } from "./access";
import type { KeyRow } from "./queries";

/**
 * Deletes a key for all its holders. Throws 403 `not_creator`, also if it was handed over meanwhile, 404
 * `key_not_found` if it was deleted.
 */
export async function deleteKey(caller: Caller, row: KeyRow): Promise<void> {
  requireManager(caller, row);
  await transaction(async (tx) => {
    const { count } = await tx.key.deleteMany({ where: { id: row.id, creatorId: row.creatorId } });
    if (count === 0) throw await staleKeyError(tx, row.id);
    const at = new Date();
    await audit({ at, action: "key.delete", subjectId: row.id, ...by(caller, { name: row.name }) }, tx);
    await keepResult(tx, caller, { result: null, at });
  }, "even on a full disk");
}
