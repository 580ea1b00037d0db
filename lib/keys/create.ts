import type { Caller } from "@/lib/accounts/identity/user";
import { auditEvents, by } from "@/lib/platform/audit";
import { currentUserKey } from "@/lib/platform/crypto/user-keys";
import { sql } from "@/lib/platform/db/client";
import { rowLock } from "@/lib/platform/db/lock";
import { insert } from "@/lib/platform/db/statement";
import { newId } from "@/lib/platform/ids";
import { writeResult } from "@/lib/platform/requests/results";
import { sealData } from "./data";
import { requireKeyQuota } from "./limits";
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
