import { audit } from "@/lib/audit";
import { type SqlStatements, sqlTransaction, type Writes, writeWith } from "@/lib/db/client";
import { lockKey, lockUser } from "@/lib/db/lock";
import { invalidParameter, keyNotFound } from "@/lib/errors";
import { roomForData } from "./create";
import { type KeyRow, mustManage, type Viewer } from "./find";
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
  const now = new Date();
  const note = (tx: Writes) => audit({ at: now, action: "key.update", subjectId: row.id, actorId: viewer.id, detail: { field: change.field } }, tx);
  const [written] = await writeWith((tx) => write(tx, row.id, change, now), note);
  const changed = written ?? (change.field === "data" ? await writeMore(row, change.value, now, note) : undefined);
  if (!changed) throw keyNotFound();
  return { ...(await recordFor(viewer, { ...row, ...changed, updatedAt: now })), changed: true };
}

type Changed = Pick<KeyRow, "name" | "data" | "price">;

/** Nothing is written where there is no such key any more, or the new data is longer: what does not grow needs no room. */
function write(tx: Pick<SqlStatements, "$queryRaw">, id: string, { field, value }: Change, now: Date): Promise<Changed[]> {
  if (field === "name") return tx.$queryRaw`UPDATE "Key" SET "name" = ${value}, "updatedAt" = ${now} WHERE "id" = ${id} RETURNING "name", "data", "price"`;
  if (field === "price") return tx.$queryRaw`UPDATE "Key" SET "price" = ${value}, "updatedAt" = ${now} WHERE "id" = ${id} RETURNING "name", "data", "price"`;
  const bytes = Buffer.byteLength(value);
  return tx.$queryRaw`
    UPDATE "Key" SET "data" = ${value}, "dataBytes" = ${bytes}, "updatedAt" = ${now} WHERE "id" = ${id} AND "dataBytes" >= ${bytes}
    RETURNING "name", "data", "price"`;
}

/** Writes data that needs room. Undefined where there is no such key any more. */
function writeMore({ id, creatorId }: KeyRow, data: string, now: Date, note: (tx: Writes) => Promise<void>): Promise<Changed | undefined> {
  const bytes = Buffer.byteLength(data);
  return sqlTransaction(async (tx) => {
    if (!(await lockKey(tx, id))) return undefined;
    await lockUser(tx, creatorId);
    const [before] = await tx.$queryRaw<(Omit<Changed, "data"> & { dataBytes: number })[]>`SELECT "name", "price", "dataBytes" FROM "Key" WHERE "id" = ${id}`;
    if (!before) return undefined;
    await roomForData(tx, creatorId, { keys: 0, bytes: bytes - before.dataBytes });
    await tx.$executeRaw`UPDATE "Key" SET "data" = ${data}, "dataBytes" = ${bytes}, "updatedAt" = ${now} WHERE "id" = ${id}`;
    await note(tx);
    return { name: before.name, price: before.price, data };
  });
}
