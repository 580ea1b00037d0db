import { audit } from "@/lib/audit";
import { type SqlStatements, sqlTransaction } from "@/lib/db/client";
import { lockUser } from "@/lib/db/lock";
import { env } from "@/lib/env";
import { ApiError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import type { Viewer } from "./find";
import { asRecord, ownEntry } from "./record";
import type { KeyRecord } from "./schema";

/** Makes a key that its creator holds from the start. Throws 403 `key_limit`. */
export async function createKey(creator: Viewer, input: { data: string; price: string; name?: string }): Promise<KeyRecord> {
  const id = newId();
  const dataBytes = Buffer.byteLength(input.data);
  return sqlTransaction(async (tx) => {
    await lockUser(tx, creator.id);
    await roomForData(tx, creator.id, { keys: 1, bytes: dataBytes });
    const now = new Date();
    const key = { id, creatorId: creator.id, name: input.name ?? "", data: input.data, dataBytes, price: input.price, createdAt: now, updatedAt: now };
    await tx.$executeRaw`
      INSERT INTO "Key" ("id", "creatorId", "name", "data", "dataBytes", "price", "createdAt", "updatedAt")
      VALUES (${id}, ${creator.id}, ${key.name}, ${key.data}, ${dataBytes}, ${key.price}, ${now}, ${now})`;
    await tx.$executeRaw`INSERT INTO "Holder" ("keyId", "userId", "since", "keyCreatedAt") VALUES (${id}, ${creator.id}, ${now}, ${now})`;
    await audit({ at: now, action: "key.create", subjectId: id, actorId: creator.id }, tx);
    const row = { ...key, creator: creator.username, since: now };
    return asRecord(creator, row, ownEntry(creator, row));
  });
}

/** Throws 403 `key_limit` when the creator's keys would be too many or hold too much. The creator's row must be locked. */
export async function roomForData(tx: SqlStatements, creatorId: string, more: { keys: number; bytes: number }): Promise<void> {
  const [used] = await tx.$queryRaw<{ keys: number | bigint; bytes: number | bigint | null }[]>`
    SELECT count(*) AS "keys", sum("dataBytes") AS "bytes" FROM "Key" WHERE "creatorId" = ${creatorId}`;
  if (Number(used?.keys ?? 0) + more.keys > env.KEYS_PER_CREATOR)
    throw new ApiError(403, "key_limit", `A user can have ${env.KEYS_PER_CREATOR} keys at most. Delete one first.`);
  if (more.bytes > 0 && Number(used?.bytes ?? 0) + more.bytes > env.KEY_BYTES_PER_CREATOR)
    throw new ApiError(403, "key_limit", `The data of a user's keys can have ${env.KEY_BYTES_PER_CREATOR} bytes at most in all.`);
}
