import type { KeyObject } from "node:crypto";
import type { Caller } from "@/lib/accounts/identity/user";
import type { Reader } from "@/lib/platform/crypto/data-keys";
import { openBytes, sealBytes } from "@/lib/platform/crypto/secrets";
import { nameOfKey, type SealedBy, type UserKey, userKey, userKeys } from "@/lib/platform/crypto/user-keys";
import { db } from "@/lib/platform/db/client";
import { ApiError, dataDamaged } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import { findKey } from "./access";
import { keyNotFound } from "./errors";

/** Where a key's data is stored, and how. */
export interface SealedRow {
  id: string;
  creatorId: string;
  /** The data as it is stored: not to be shown. */
  storedData: string;
  /** Null: in the clear, from before sealing. */
  sealedWith: number | null;
}

const contextOf = ({ id, creatorId }: Pick<SealedRow, "id" | "creatorId">) => `key ${id} ${creatorId}`;

/** The data of a key as it is stored, for this creator: `current` is the creator's own key. */
export function sealData(
  of: Pick<SealedRow, "id" | "creatorId">,
  data: string,
  current: UserKey,
): { data: string; sealedWith: number } {
  const sealed = sealBytes(current.key, Buffer.from(data), contextOf(of));
  return { data: sealed.toString("base64"), sealedWith: current.number };
}

/** Throws if the row was changed, or is another's. Only one text stands for the sealed bytes: base64 has several. */
export function openData(row: SealedRow, key: KeyObject): string {
  const sealed = Buffer.from(row.storedData, "base64");
  if (sealed.toString("base64") !== row.storedData) throw new Error("The sealed data is not base64.");
  return openBytes(key, sealed, contextOf(row)).toString("utf8");
}

/**
 * The data of a key in the clear. Throws 500 `data_damaged`, and 404 `key_not_found` if the key was deleted meanwhile,
 * with what opens it. `from` is the transaction it belongs to, if any.
 */
export async function dataOf(row: SealedRow, from?: Reader): Promise<string> {
  const by = sealedBy(row);
  const key = by && (await userKey(by, from));
  if (by && !key && !from && (await deletedAmong([row])).has(row.id)) throw keyNotFound();
  return opened(row, key);
}

/**
 * The same of many keys, with few statements for all of them: null for one that does not open, undefined for one that
 * was deleted meanwhile.
 */
export async function dataOfEach(rows: readonly SealedRow[]): Promise<(string | null | undefined)[]> {
  const keys = await userKeys(rows.flatMap((row) => sealedBy(row) ?? []));
  const deleted = await deletedAmong(
    rows.filter((row) => {
      const by = sealedBy(row);
      return by && !keys.has(nameOfKey(by));
    }),
  );
  return rows.map((row) => {
    if (deleted.has(row.id)) return undefined;
    const by = sealedBy(row);
    try {
      return opened(row, by && keys.get(nameOfKey(by)));
    } catch {
      return null;
    }
  });
}

/** Those of these keys that are no longer there. */
async function deletedAmong(rows: readonly SealedRow[]): Promise<Set<string>> {
  const deleted = new Set(rows.map(({ id }) => id));
  if (deleted.size === 0) return deleted;
  for (const { id } of await db.key.findMany({ where: { id: { in: [...deleted] } }, select: { id: true } }))
    deleted.delete(id);
  return deleted;
}

function sealedBy({ creatorId, sealedWith }: SealedRow): SealedBy | undefined {
  return sealedWith === null ? undefined : { userId: creatorId, number: sealedWith };
}

function opened(row: SealedRow, key: KeyObject | undefined): string {
  if (row.sealedWith === null) return row.storedData;
  try {
    if (!key) throw new Error("The key that opens it is missing or damaged.");
    return openData(row, key);
  } catch (err) {
    log.error({ key: row.id, err }, "the data of a key is damaged");
    throw dataDamaged();
  }
}

/** The secret of a key that the caller holds. Throws 404 `key_not_found`, 403 `not_holder`, 500 `data_damaged`. */
export async function revealData(caller: Caller, keyId: string): Promise<string> {
  const row = await findKey(caller, keyId);
  if (row.since === null) throw new ApiError(403, "not_holder", "You do not hold this key.");
  return dataOf(row);
}
