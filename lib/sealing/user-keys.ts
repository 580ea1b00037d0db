import { createSecretKey, type KeyObject } from "node:crypto";
import { openBytes, sealBytes } from "@/lib/aes-gcm";
import { sql } from "@/lib/db/client";
import { dropOldest } from "@/lib/short-memory";
import { currentDataKey, dataKeyUnlessLost, newKeyBytes, type Reader } from "./data-keys";
import { KeyMemory } from "./memory";
import { addUserKey, newestUserKey, type UserKeyRow, userKeysOf } from "./rows";

/** Remembered keys of users, about 300 bytes each. Forgetting one costs a query. */
const MOST_REMEMBERED = 10_000;
/** Another process may have given the user a newer key: until then, what this one seals is resealed once more. */
const ASK_AGAIN_AFTER_MS = 60_000;

/** A key of a user: with the highest number it seals, with each it opens. */
export interface UserKey {
  number: number;
  key: KeyObject;
}

/** Which key opens something: the user's, and its number. */
export interface SealedBy {
  userId: string;
  number: number;
}

interface Known {
  /** By `nameOfKey`, the oldest first. */
  keys: Map<string, KeyObject>;
  /** The highest numbers by user, and when each was asked for, by `performance.now()`. */
  newest: Map<string, { number: number; askedAt: number }>;
}

const memory = new KeyMemory<Known>("users' keys", () => ({ keys: new Map(), newest: new Map() }));

/** Call it after a change of users' keys. */
export const forgetUserKeys = () => memory.forget();

/** What tells this key from all others. */
export const nameOfKey = ({ userId, number }: SealedBy) => `${userId} ${number}`;
const contextOf = ({ userId, number }: SealedBy) => `user key ${userId} ${number}`;

/** The stored form of a user's key. */
export function wrapUserKey(by: SealedBy, bytes: Uint8Array, dataKey: KeyObject): Buffer<ArrayBuffer> {
  return sealBytes(dataKey, bytes, contextOf(by));
}

/** The bytes of a stored key of a user. Throws if it was changed, or is another's. */
export function unwrapUserKey(by: SealedBy, wrapped: Uint8Array, dataKey: KeyObject): Buffer {
  return openBytes(dataKey, wrapped, contextOf(by));
}

/** The key if this process knows it already, so that nothing need be awaited. */
export function rememberedUserKey(by: SealedBy): KeyObject | undefined {
  return memory.known().keys.get(nameOfKey(by));
}

/** The user's key with this number. Throws if it is missing or damaged. */
export async function userKey(by: SealedBy): Promise<KeyObject> {
  const key = rememberedUserKey(by) ?? (await learnUserKeys([by])).get(nameOfKey(by));
  if (!key) throw new Error(`The key ${by.number} of user ${by.userId} is missing or damaged.`);
  return key;
}

/**
 * Reads these keys in one statement, so that each is remembered: by `nameOfKey`, without those missing or damaged. In a
 * transaction, `from` is that.
 */
export async function learnUserKeys(wanted: readonly SealedBy[], from: Reader = sql): Promise<Map<string, KeyObject>> {
  const learned = new Map<string, KeyObject>();
  if (wanted.length === 0) return learned;
  const users = [...new Set(wanted.map(({ userId }) => userId))];
  const numbers = [...new Set(wanted.map(({ number }) => number))];
  const known = memory.known();
  for (const row of await from.read(userKeysOf(users, numbers))) {
    const key = await opened(known, row, from);
    if (key) learned.set(nameOfKey(row), key);
  }
  return learned;
}

/** The key that seals what the user stores now, if this process has asked for it a moment ago. */
export function rememberedCurrentKey(userId: string): UserKey | undefined {
  const newest = memory.known().newest.get(userId);
  if (!newest || performance.now() - newest.askedAt >= ASK_AGAIN_AFTER_MS) return undefined;
  const key = rememberedUserKey({ userId, number: newest.number });
  return key && { number: newest.number, key };
}

/** The key that seals what the user stores now. Creates the user's first one. */
export async function currentUserKey(userId: string): Promise<UserKey> {
  const remembered = rememberedCurrentKey(userId);
  if (remembered) return remembered;
  const known = memory.known();
  let row = (await sql.readQuickly(newestUserKey(userId)))[0] ?? (await addKey(userId, 1));
  let key = await opened(known, row);
  // Under a former data key, which is lost: what the user stores from now on shall not be.
  if (!key && row.dataKeyId !== (await currentDataKey()).id) {
    row = await addKey(userId, row.number + 1);
    key = await opened(known, row);
  }
  if (!key) throw new Error(`The key ${row.number} of user ${userId} is damaged.`);
  rememberNewest(known, userId, row.number);
  return { number: row.number, key };
}

/** Gives the user a key with this number, under the current data key, unless it exists. Returns the newest one. */
export async function addKey(userId: string, number: number): Promise<UserKeyRow> {
  const current = await currentDataKey();
  const wrapped = wrapUserKey({ userId, number }, newKeyBytes(), current.key);
  await sql.batch([addUserKey(userId, number, current.id, wrapped, new Date())]);
  const [row] = await sql.readQuickly(newestUserKey(userId));
  if (!row) throw new Error(`The key of user ${userId} could not be stored.`);
  return row;
}

/** The key of a row. Undefined if it is damaged, or its data key is lost. */
export async function openUserKey(row: UserKeyRow, from: Reader = sql): Promise<KeyObject | undefined> {
  const wrapping = await dataKeyUnlessLost(row.dataKeyId, from);
  if (!wrapping) return undefined;
  try {
    return createSecretKey(unwrapUserKey(row, row.wrapped, wrapping));
  } catch {
    return undefined;
  }
}

/** What is stored counts, and not what is remembered: a pooler may have hidden that the database is another. */
async function opened({ keys }: Known, row: UserKeyRow, from: Reader = sql): Promise<KeyObject | undefined> {
  const key = await openUserKey(row, from);
  if (!key) return undefined;
  keys.set(nameOfKey(row), key);
  dropOldest(keys, MOST_REMEMBERED);
  return key;
}

function rememberNewest({ newest }: Known, userId: string, number: number): void {
  newest.delete(userId);
  newest.set(userId, { number, askedAt: performance.now() });
  dropOldest(newest, MOST_REMEMBERED);
}
