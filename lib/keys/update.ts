import type { Caller } from "@/lib/accounts/identity/user";
import { auditEvents, by } from "@/lib/platform/audit";
import { currentUserKey } from "@/lib/platform/crypto/user-keys";
import { db, type SqlTransaction, sql } from "@/lib/platform/db/client";
import { rowLock } from "@/lib/platform/db/lock";
import { evenOnFullDisk } from "@/lib/platform/db/reserve";
import type { Insert, SqlChange } from "@/lib/platform/db/statement";
import { invalidParameter } from "@/lib/platform/errors";
import { isShareUsedUp } from "@/lib/platform/limits/events";
import { keepResult, writeResult } from "@/lib/platform/requests/results";
import { requireManager, staleKeyError } from "./access";
import { dataOfEach, sealData } from "./data";
import { requireKeyQuota } from "./limits";
import { type ChangedKey, holders, type KeyRow, keyById, type NewData, sizedKey, updateData, updates } from "./queries";
import { asRecord, asUsers, recordAfterChange } from "./record";
import { CHANGEABLE, type ChangeableField, changeable, type KeyRecord, type PlainField } from "./schema";

interface UpdateParameters {
  id: string;
  key: string;
  data?: string;
}

export type Change = { field: "data"; value: string } | { field: PlainField; value: string };

const isChangeable = (field: string): field is ChangeableField => Object.hasOwn(changeable, field);

/**
 * Parses `key` and `data` of /keys/update: `key` is the key's own id (then `data` is its new data) or the name of a
 * field. Null: no change. Throws 400 `invalid_parameter` (contract, section 2: update).
 */
export function readChange({ id, key, data }: UpdateParameters): Change | null {
  const field = key === id ? "data" : key;
  if (!isChangeable(field)) throw invalidParameter(`The parameter key must be the key's id, ${CHANGEABLE}.`);
  if (data === undefined) return null;
  const parsed = changeable[field].safeParse(data);
  if (!parsed.success) throw invalidParameter(`The new ${field} ${parsed.error.issues[0]?.message}.`);
  return { field, value: parsed.data };
}

/** The response to a change. */
export type Changed = KeyRecord & { changed: boolean };

/**
 * Changes one field of a key. Throws 403 `not_creator`, also if the key was handed over meanwhile, and `key_limit`, 404
 * `key_not_found` if it was deleted.
 */
export async function updateKey(caller: Caller, row: KeyRow, change: Change | null): Promise<Changed> {
  requireManager(caller, row);
  const now = new Date();
  if (!change) {
    const result = { ...(await recordAfterChange(caller, row)), changed: false };
    await keepResult(db, caller, { result: withoutSecrets(result), at: now });
    return result;
  }
  const { id } = row;
  const sealedChange: SealedChange =
    change.field === "data" ? { field: "data", value: await newData(row, change.value) } : change;
  const who = by(caller, detailOf(row, change));
  const event = () => auditEvents({ at: now, action: "key.update", subjectId: id, ...who });
  const writeAll = () => inOneTransaction(caller, row, { change: sealedChange, now, event });
  const isTransaction =
    caller.request !== undefined || isShareUsedUp({ actorId: caller.id, action: "key.update", at: now });
  const update = isTransaction
    ? writeAll
    : () => sql.batchThenRead([updateOf(row, sealedChange, now), event()], holders(id, now));
  const cheap = await (isSmaller(sealedChange, row) ? evenOnFullDisk(update) : update());
  const isDone = cheap?.written[0] || sealedChange.field !== "data" || isTransaction;
  const done = isDone ? cheap : await writeAll();
  const changed = done?.written[0];
  if (!changed) throw await staleKeyError(db, id);
  const after = { ...row, ...changed, updatedAt: now };
  const data = change.field === "data" ? change.value : row.since && (await dataOfEach([after]))[0];
  return { ...asRecord(caller, after, { data: data ?? null, users: asUsers(done.rows) }), changed: true };
}

const isSmaller = (change: SealedChange, { storedData }: KeyRow) =>
  change.field === "data" && change.value.data.length < storedData.length;

/** As it is stored: sealed with the current key of the creator, who may be another than the caller. */
async function newData(of: Pick<KeyRow, "id" | "creatorId">, data: string): Promise<NewData> {
  return { ...sealData(of, data, await currentUserKey(of.creatorId)), dataBytes: Buffer.byteLength(data) };
}

type SealedChange = { field: "data"; value: NewData } | { field: PlainField; value: string };

function updateOf(row: KeyRow, { field, value }: SealedChange, now: Date): SqlChange<ChangedKey> {
  return field === "data" ? updates.data(row, value, now) : updates[field](row, value, now);
}

/** The history has both values of what is no secret. It never has any data. */
function detailOf(row: KeyRow, { field, value }: Change): Record<string, string> {
  return field === "data" ? { field } : { field, from: row[field], to: value };
}

/**
 * Checks the quota, and stores what the caller's request came to. Undefined if the key no longer exists, or has another
 * creator by now.
 */
function inOneTransaction(
  caller: Caller,
  row: KeyRow,
  { change, now, event }: { change: SealedChange; now: Date; event: () => Insert },
) {
  return sql.write(async (tx) => {
    const written =
      change.field === "data"
        ? await writeData(tx, row, { data: change.value, now })
        : await tx.write(updateOf(row, change, now));
    const [changed] = written;
    if (!changed) return undefined;
    await tx.write(event());
    const after = { ...row, ...changed, updatedAt: now };
    const result = { ...asRecord(caller, after, { data: null, users: {} }), changed: true };
    await writeResult(tx, caller, { result: withoutSecrets(result), at: now });
    return { written, rows: await tx.read(holders(row.id, now)) };
  });
}

async function writeData(
  tx: SqlTransaction,
  { id, creatorId }: KeyRow,
  { data, now }: { data: NewData; now: Date },
): Promise<ChangedKey[]> {
  if ((await tx.write(rowLock.key(id))) === 0) return [];
  await tx.write(rowLock.user(creatorId));
  const [before] = await tx.read(sizedKey({ id, creatorId }));
  if (!before) return [];
  await requireKeyQuota(tx, creatorId, { keys: 0, bytes: data.dataBytes - before.dataBytes });
  return tx.write(updateData(id, data, now));
}

/** What is stored of it: neither the data, nor thousands of holders. */
const withoutSecrets = ({ damaged: _, ...record }: Changed): Changed => ({ ...record, data: null, users: {} });

/**
 * What a change that was requested before came to, as it was, except for who holds the key and its data: these are as
 * they are now.
 */
export async function repeatedUpdate(caller: Caller, result: Changed): Promise<Changed> {
  const [row] = await sql.readQuickly(keyById(caller.id, result.id));
  if (!row) return { ...result, owned: false, owns: false };
  const { owned, owns, data, users, damaged } = await recordAfterChange(caller, row);
  return { ...result, owned, owns, data, users, damaged };
}
