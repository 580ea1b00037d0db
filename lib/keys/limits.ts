import { counted } from "@/lib/platform/bounds";
import type { SqlTransaction, Statements } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { ApiError } from "@/lib/platform/errors";
import { settingQuotas } from "@/lib/platform/limits/quotas";
import { DAY_MS } from "@/lib/platform/time";
import { RETENTION_MS } from "./claims/sweep";
import { holderLimit, keyLimit } from "./errors";
import { linksOf } from "./list-queries";
import { type KeyRow, usedBy } from "./queries";
import { notEnded } from "./until";

/**
 * Throws 403 `key_limit` if the creator would have too many keys or too much data. The creator's row must be locked.
 */
export async function requireKeyQuota(
  tx: SqlTransaction,
  creatorId: string,
  more: { keys: number; bytes: number },
): Promise<void> {
  const [used] = await tx.read(usedBy(creatorId));
  const setting = settingQuotas();
  const limits = { keys: used?.mostKeys ?? setting.keys, bytes: used?.mostKeyBytes ?? setting.keyBytes };
  if (more.keys > 0 && (used?.keys ?? 0) + more.keys > limits.keys)
    throw keyLimit(
      `${owner(used?.mostKeys)} can have ${counted(limits.keys, "key", "keys")} at most. Delete one first.`,
    );
  if (more.bytes > 0 && (used?.bytes ?? 0) + more.bytes > limits.bytes)
    throw keyLimit(
      `The data of ${owner(used?.mostKeyBytes).toLowerCase()}'s keys can have ` +
        `${counted(limits.bytes, "byte", "bytes")} at most in total.`,
    );
}

/** Whose quota it is: every user's, or the one user's own. */
const owner = (own: number | null | undefined) => (own === null || own === undefined ? "A user" : "This user");

/**
 * Throws 403 `holder_limit`. The rows of the key and of the user must be locked. Keys that the user has hidden, and
 * access that has ended, count only against their creator. `isListed`: the list names the user, whose access has ended.
 * `isAccepted`: the user accepted it, and so gets it even if others have filled the user's list, up to as many again.
 */
export async function requireHolderQuota(
  tx: Statements,
  key: Pick<KeyRow, "id" | "creatorId">,
  { userId, isListed, isAccepted = false, now }: { userId: string; isListed: boolean; isAccepted?: boolean; now: Date },
): Promise<void> {
  if (!isListed && (await tx.holder.count({ where: { keyId: key.id } })) >= env.HOLDERS_PER_KEY)
    throw holderLimit(`A key can have ${counted(env.HOLDERS_PER_KEY, "holder", "holders")} at most.`);
  const fromCreator = await tx.holder.count({ where: { userId, key: { creatorId: key.creatorId } } });
  if (!isListed && fromCreator >= env.KEYS_HELD_PER_GIVER)
    throw holderLimit(
      `One user can hold ${counted(env.KEYS_HELD_PER_GIVER, "key", "keys")} of the same creator at most. Revoke or ` +
        "delete another first.",
    );
  const held = await tx.holder.count({
    where: { userId, hiddenAt: null, key: { creatorId: { not: userId } }, ...notEnded(now) },
  });
  if (held >= (isAccepted ? 2 : 1) * env.KEYS_HELD_FROM_OTHERS)
    throw holderLimit("This user already holds as many keys from others as one user can.");
}

/** How many are stored of one creator's keys. */
const MAX_STORED = 50_000;

/** Throws 403 `claim_limit`. The creator's row must be locked. */
export async function requireClaimLinkQuota(tx: SqlTransaction, creatorId: string, more: number): Promise<void> {
  const [stored] = await tx.read(linksOf(creatorId));
  if ((stored?.links ?? 0) + more > MAX_STORED)
    throw new ApiError(
      403,
      "claim_limit",
      `A user's keys can have ${MAX_STORED.toLocaleString("en")} claim links at most. End some that are no ` +
        `longer needed. Those that were created together count as one at least for ${RETENTION_MS / DAY_MS} days more.`,
    );
}
