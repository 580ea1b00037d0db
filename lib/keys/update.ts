import { audit } from "@/lib/audit";
import { Prisma, type SqlStatements, sqlTransaction } from "@/lib/db/client";
import { lockKey, lockUser } from "@/lib/db/lock";
import { invalidParameter, keyNotFound } from "@/lib/errors";
import { roomForData } from "./create";
import { findFor, type KeyRow, mustManage, type Viewer } from "./find";
import { recordFor } from "./record";
import { type KeyRecord, name, price, replacedData } from "./schema";

interface Sent {
  id: string;
  key: string;
  data?: string;
}

export type Change = { field: "data" | "name" | "price"; value: string };

/**
 * What `key` and `data` of /keys/update mean: `key` is the key's own id (then `data` is its new data) or the name of a field.
 * Null: nothing is to change. Throws 400 `invalid_parameter` (contract, section 2: update).
 */
export function readChange({ id, key, data }: Sent): Change | null {
  const field = key === id ? "data" : key;
  if (field !== "data" && field !== "name" && field !== "price") throw invalidParameter("The parameter key must be the key's id, data, name or price.");
  if (data === undefined) return null;
  const parsed = { data: replacedData, name, price }[field].safeParse(data);
  if (!parsed.success) throw invalidParameter(`The new ${field} ${parsed.error.issues[0]?.message}.`);
  return { field, value: parsed.data };
}

/** Throws as `readChange` does, before the key is looked for. */
export function isChange(sent: Sent): boolean {
  readChange(sent);
  return true;
}

/** Changes one field of a key. Throws 403 `not_creator` and `key_limit`, 404 `key_not_found` when the key went meanwhile. */
export async function updateKey(viewer: Viewer, row: KeyRow, change: Change | null): Promise<KeyRecord & { changed: boolean }> {
  mustManage(viewer, row);
  if (!change) return { ...(await recordFor(viewer, row)), changed: false };
  return sqlTransaction(async (tx) => {
    const now = new Date();
    if (!(await write(tx, row, change, now))) throw keyNotFound();
    await audit({ at: now, action: "key.update", subjectId: row.id, actorId: viewer.id, detail: { field: change.field } }, tx);
    return { ...(await recordFor(viewer, await findFor(viewer, row.id, tx), tx)), changed: true };
  });
}

/** False where there is no such key any more. */
async function write(tx: SqlStatements, { id, creatorId }: KeyRow, { field, value }: Change, now: Date): Promise<boolean> {
  if (field !== "data") return (await tx.$executeRaw`UPDATE "Key" SET ${Prisma.raw(`"${field}"`)} = ${value}, "updatedAt" = ${now} WHERE "id" = ${id}`) === 1;

  const bytes = Buffer.byteLength(value);
  const put = async (hasRoom: 0 | 1) =>
    (await tx.$executeRaw`
      UPDATE "Key" SET "data" = ${value}, "dataBytes" = ${bytes}, "updatedAt" = ${now}
      WHERE "id" = ${id} AND ("dataBytes" >= ${bytes} OR ${hasRoom} = 1)`) === 1;
  // What does not grow needs no room.
  if (await put(0)) return true;
  if (!(await lockKey(tx, id))) return false;
  await lockUser(tx, creatorId);
  const [before] = await tx.$queryRaw<{ dataBytes: number }[]>`SELECT "dataBytes" FROM "Key" WHERE "id" = ${id}`;
  await roomForData(tx, creatorId, { keys: 0, bytes: bytes - (before?.dataBytes ?? 0) });
  return put(1);
}
