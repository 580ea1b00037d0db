import type { Caller } from "@/lib/accounts/identity/user";
import { auditEvents, by } from "@/lib/platform/audit";
import { counted } from "@/lib/platform/bounds";
import { currentUserKey } from "@/lib/platform/crypto/user-keys";
import { type SqlTransaction, sql } from "@/lib/platform/db/client";
import { rowLock } from "@/lib/platform/db/lock";
import { insert } from "@/lib/platform/db/statement";
import { keyLimit } from "@/lib/platform/errors";
import { newId } from "@/lib/platform/ids";
import { settingQuotas } from "@/lib/platform/limits/quotas";
import { writeResult } from "@/lib/platform/requests/results";
import { sealData } from "./data";
import { usedBy } from "./queries";
import { asRecord, ownEntry } from "./record";
import { foldedNameOf, type KeyRecord, type NewKey, plainFields } from "./schema";

/** Creates a key that its creator holds from the start. Throws 403 `key_limit`. */
export async function createKey(creator: Caller, { data, ...fields }: NewKey): Promise<KeyRecord> {
  const id = newId();
  const dataBytes = Buffer.byteLength(data);
  const sealed = sealData({ id, creatorId: creator.id }, data, await currentUserKey(creator.id));
  return sql.write(async (tx) => {
    await tx.write(rowLock.user(creator.id));
    await requireKeyQuota(tx, creator.id, { keys: 1, bytes: dataBytes });
    const now = new Date();
    const key = {
      id,
      creatorId: creator.id,
      ...plainFields(fields),
      nameKey: foldedNameOf(fields.name ?? ""),
      dataBytes,
      createdAt: now,
      updatedAt: now,
    };
    await tx.write(insert("Key", { ...key, ...sealed }));
    await tx.write(insert("Holder", { keyId: id, userId: creator.id, since: now, keyCreatedAt: now }));
    await tx.write(auditEvents({ at: now, action: "key.create", subjectId: id, ...by(creator) }));
    const row = { ...key, creator: creator.username, since: now, until: null };
    const record = asRecord(creator, row, { data, users: ownEntry(creator, row) });
    await writeResult(tx, creator, { result: { ...record, data: null }, at: now });
    return record;
  });
}

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
