import { audit } from "@/lib/audit";
import { transaction } from "@/lib/db/client";
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
  return transaction(async (tx) => {
    if (!(await lockKey(tx, row.id))) throw keyNotFound();
    const now = new Date();
    if (change.field === "data") {
      await lockUser(tx, row.creatorId);
      const dataBytes = Buffer.byteLength(change.value);
      const { dataBytes: before } = await tx.key.findUniqueOrThrow({ where: { id: row.id }, select: { dataBytes: true } });
      await roomForData(tx, row.creatorId, { keys: 0, bytes: dataBytes - before });
      await tx.key.update({ where: { id: row.id }, data: { data: change.value, dataBytes, updatedAt: now } });
    } else {
      await tx.key.update({ where: { id: row.id }, data: { [change.field]: change.value, updatedAt: now } });
    }
    await audit({ at: now, action: "key.update", subjectId: row.id, actorId: viewer.id, detail: { field: change.field } }, tx);
    return { ...(await recordFor(viewer, await findFor(viewer, row.id, tx), tx)), changed: true };
  });
}
