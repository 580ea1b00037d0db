import type { ActorContext } from "@/lib/accounts/context";
import { findUser } from "@/lib/accounts/identity/user";
import { setDisabled } from "@/lib/accounts/ways-in/disable";
import { audit, OPERATOR } from "@/lib/platform/audit";
import { transaction } from "@/lib/platform/db/client";
import { lockUser } from "@/lib/platform/db/lock";
import { ApiError, invalidParameter } from "@/lib/platform/errors";
import { findQuotas, QUOTA_NAMES, type QuotaName, type Quotas, quotaColumns } from "@/lib/platform/limits/quotas";

/** The highest quota of each kind: what its column can hold exactly. */
export const MAX_QUOTAS: Quotas = {
  keys: 2_000_000_000,
  keyBytes: Number.MAX_SAFE_INTEGER,
  fileBytes: Number.MAX_SAFE_INTEGER,
  entries: 2_000_000_000,
};

/** Null: the setting's holds again. */
type QuotaChange = Partial<Record<QuotaName, number | null>>;

/**
 * Gives a user quotas of their own. One below what is used deletes nothing: only new things are refused, from the
 * moment that this returns. Returns what holds now. Throws 404 `user_not_found`, 400 `invalid_parameter`.
 */
export async function setQuotas(
  username: string,
  change: QuotaChange,
  { actorId = OPERATOR, now = new Date() }: ActorContext = {},
): Promise<Quotas> {
  for (const name of QUOTA_NAMES) checkQuota(name, change[name]);
  const { id, username: named } = await findUser(username);
  return transaction(async (tx) => {
    // Who creates a key locks the user; who stores files locks the document, or the user if there is none.
    await lockUser(tx, id);
    await tx.fileDocument.updateMany({ where: { userId: id }, data: { userId: id } });
    await tx.user.update({ where: { id }, data: quotaColumns(change) });
    const changed = QUOTA_NAMES.flatMap((name) => {
      const quota = change[name];
      return quota === undefined ? [] : [[name, quota === null ? "default" : String(quota)]];
    });
    const detail = { user: named, ...Object.fromEntries(changed) };
    await audit({ at: now, action: "user.quota", subjectId: id, actorId, detail }, tx);
    return findQuotas(id, tx);
  });
}

function checkQuota(name: QuotaName, quota: number | null | undefined): void {
  if (quota === undefined || quota === null) return;
  if (!Number.isSafeInteger(quota) || quota < 0 || quota > MAX_QUOTAS[name])
    throw invalidParameter(`Enter a whole number from 0 to ${MAX_QUOTAS[name].toLocaleString("en")}.`, name);
}

/** Users per call. */
const MAX_AT_ONCE = 200;

/** What became of one user: null, or why not. */
export interface ForOne {
  username: string;
  refused: string | null;
}

/**
 * Disables or enables several users, each by itself: one refusal keeps none of the others. Throws 400
 * `invalid_parameter` for more than 200.
 */
export async function setDisabledOfMany(
  usernames: readonly string[],
  { disabled, actorId = OPERATOR, now = new Date() }: ActorContext & { disabled: boolean },
): Promise<ForOne[]> {
  if (usernames.length > MAX_AT_ONCE) throw invalidParameter(`At most ${MAX_AT_ONCE} users can be selected at a time.`);
  const results: ForOne[] = [];
  for (const username of new Set(usernames))
    try {
      await setDisabled(username, { disabled, actorId, now });
      results.push({ username, refused: null });
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      results.push({ username, refused: thrown.message });
    }
  return results;
}
