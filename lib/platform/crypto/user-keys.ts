import { createSecretKey, type KeyObject } from "node:crypto";
import { sql } from "../db/client";
import { insert } from "../db/statement";
import { turnOfOthers } from "../event-loop";
import { dropOldest } from "../process";
import { currentDataKey, type DataKey, dataKey, KeyMemory, newKeyBytes, type Reader } from "./data-keys";
import { addUserKey, everyKeyOf, newestUserKey, type UserKeyRow, userKeysAfter, userKeysOf } from "./queries";
import { openBytes, sealBytes } from "./secrets";

/** Remembered keys of users, about 300 bytes each. Forgetting one costs a query. */
const MAX_REMEMBERED = 10_000;
/** Another process may have given the user a newer key: until then, what this one seals is resealed once more. */
const READ_AGAIN_AFTER_MS = 60_000;

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

interface CachedKeys {
  /** By `nameOfKey`, the oldest first. */
  keys: Map<string, KeyObject>;
  /** The highest numbers by user, and when each was read, by `performance.now()`. */
  newest: Map<string, { number: number; readAt: number }>;
}

const memory = new KeyMemory<CachedKeys>("users' keys", () => ({ keys: new Map(), newest: new Map() }));

/** Call it after a change of users' keys. */
export const forgetUserKeys = () => memory.forget();

/** Identifies this key. */
export const nameOfKey = ({ userId, number }: SealedBy) => `${userId} ${number}`;
const contextOf = ({ userId, number }: SealedBy) => `user key ${userId} ${number}`;

/** The stored form of a user's key. */
export function wrapUserKey(by: SealedBy, bytes: Uint8Array, wrapping: KeyObject): Buffer<ArrayBuffer> {
  return sealBytes(wrapping, bytes, contextOf(by));
}

/** The key that opens this. Undefined if it is missing or damaged. In a transaction, `from` is that. */
export async function userKey(by: SealedBy, from: Reader = sql): Promise<KeyObject | undefined> {
  return remembered(by) ?? (await userKeys([by], from)).get(nameOfKey(by));
}

/**
 * The keys that open these, by `nameOfKey`, without those missing or damaged: with one statement at most. Whoever needs
 * several holds what this returns: what the process remembers, it may forget at any time.
 */
export async function userKeys(requested: readonly SealedBy[], from: Reader = sql): Promise<Map<string, KeyObject>> {
  const held = new Map<string, KeyObject>();
  const unknown: SealedBy[] = [];
  for (const by of requested) {
    const key = remembered(by);
    if (key) held.set(nameOfKey(by), key);
    else unknown.push(by);
  }
  if (unknown.length === 0) return held;
  const users = [...new Set(unknown.map(({ userId }) => userId))];
  const numbers = [...new Set(unknown.map(({ number }) => number))];
  const cached = memory.contents();
  for (const row of await from.read(userKeysOf(users, numbers))) {
    const key = await opened(cached, row, from);
    if (key) held.set(nameOfKey(row), key);
  }
  return held;
}

function remembered(by: SealedBy): KeyObject | undefined {
  return memory.contents().keys.get(nameOfKey(by));
}

/** The key that seals what the user stores now, if this process has read it a moment ago. */
function rememberedCurrentKey(userId: string): UserKey | undefined {
  const newest = memory.contents().newest.get(userId);
  if (!newest || performance.now() - newest.readAt >= READ_AGAIN_AFTER_MS) return undefined;
  const key = remembered({ userId, number: newest.number });
  return key && { number: newest.number, key };
}

/** The key that seals what the user stores now. Creates the user's first one. */
export async function currentUserKey(userId: string): Promise<UserKey> {
  const current = rememberedCurrentKey(userId);
  if (current) return current;
  const cached = memory.contents();
  let row = (await sql.readQuickly(newestUserKey(userId)))[0] ?? (await addKey(userId, 1));
  let key = await opened(cached, row);
  // Under a former data key, which is lost: what the user stores from now on shall not be.
  if (!key && row.dataKeyId !== (await currentDataKey()).id) {
    row = await addKey(userId, row.number + 1);
    key = await opened(cached, row);
  }
  if (!key) throw new Error(`The key ${row.number} of user ${userId} is damaged.`);
  rememberNewest(cached, userId, row.number);
  return { number: row.number, key };
}

/** Gives the user a key with this number, under the current data key, unless it exists. Returns the newest one. */
export async function addKey(userId: string, number: number): Promise<UserKeyRow> {
  const current = await currentDataKey();
  const wrapped = wrapUserKey({ userId, number }, newKeyBytes(), current.key);
  await sql.batch([addUserKey({ userId, number }, { dataKeyId: current.id, wrapped, now: new Date() })]);
  const [row] = await sql.readQuickly(newestUserKey(userId));
  if (!row) throw new Error(`The key of user ${userId} could not be stored.`);
  return row;
}

/** The key of a row. Undefined if it was changed, is another's, or its data key is lost. */
export async function openUserKey(row: UserKeyRow, from: Reader = sql): Promise<KeyObject | undefined> {
  const wrapping = await dataKey(row.dataKeyId, from);
  if (!wrapping) return undefined;
  try {
    return createSecretKey(openBytes(wrapping, row.wrapped, contextOf(row)));
  } catch {
    return undefined;
  }
}

/** What is stored counts, and not what is remembered: a pooler may have hidden that the database is another. */
async function opened({ keys }: CachedKeys, row: UserKeyRow, from: Reader = sql): Promise<KeyObject | undefined> {
  const key = await openUserKey(row, from);
  if (!key) return undefined;
  keys.set(nameOfKey(row), key);
  dropOldest(keys, MAX_REMEMBERED);
  return key;
}

function rememberNewest({ newest }: CachedKeys, userId: string, number: number): void {
  newest.delete(userId);
  newest.set(userId, { number, readAt: performance.now() });
  dropOldest(newest, MAX_REMEMBERED);
}

/** What a user's data is sealed with. */
export interface KeysOfUser {
  /** Under the current data key: seals. */
  current: UserKey;
  currentSince: Date;
  /** By number. Those that are damaged or lost are left out. */
  opening: Map<number, KeyObject>;
  /** Numbers of keys that are still under another data key. */
  former: number[];
}

/**
 * The keys of these users, each of whom gets a new one if the newest is not under this data key. A user whose newest
 * key is damaged, or who was deleted, is left out.
 */
export async function renewKeys(userIds: readonly string[], under: DataKey): Promise<Map<string, KeysOfUser>> {
  if (userIds.length === 0) return new Map();
  let rows = rowsByUser(await sql.read(everyKeyOf(userIds)));
  const missing = userIds.filter((userId) => (rows.get(userId)?.[0]?.dataKeyId ?? 0) < under.id);
  if (missing.length > 0) {
    await sql.write(async (tx) => {
      const now = new Date();
      for (const userId of missing) {
        const number = (rows.get(userId)?.[0]?.number ?? 0) + 1;
        const wrapped = wrapUserKey({ userId, number }, newKeyBytes(), under.key);
        await tx.write(addUserKey({ userId, number }, { dataKeyId: under.id, wrapped, now }));
      }
    });
    rows = rowsByUser(await sql.read(everyKeyOf(userIds)));
  }
  const renewed = new Map<string, KeysOfUser>();
  for (const [userId, ofUser] of rows) {
    const keys = await openedKeys(ofUser, under);
    if (keys) renewed.set(userId, keys);
  }
  return renewed;
}

function rowsByUser(rows: readonly UserKeyRow[]): Map<string, UserKeyRow[]> {
  const byUser = new Map<string, UserKeyRow[]>();
  for (const row of rows) {
    const others = byUser.get(row.userId);
    if (others) others.push(row);
    else byUser.set(row.userId, [row]);
  }
  return byUser;
}

async function openedKeys(rows: readonly UserKeyRow[], under: DataKey): Promise<KeysOfUser | undefined> {
  const opening = new Map<number, KeyObject>();
  for (const row of rows) {
    const key = await openUserKey(row);
    if (key) opening.set(row.number, key);
  }
  const [newest] = rows;
  const key = newest && opening.get(newest.number);
  if (!key) return undefined;
  const former = rows.filter(({ dataKeyId, number }) => dataKeyId < under.id && opening.has(number));
  return {
    current: { number: newest.number, key },
    currentSince: newest.createdAt,
    opening,
    former: former.map(({ number }) => number),
  };
}

/**
 * Stores the users' former keys under this data key. They may still be needed: whoever read the newest key a
 * moment ago seals with one.
 */
export async function rewrapFormer(keys: ReadonlyMap<string, KeysOfUser>, under: DataKey): Promise<void> {
  const createdAt = new Date();
  const rows = [...keys].flatMap(([userId, { former, opening }]) =>
    former.flatMap((number) => {
      const bytes = opening.get(number)?.export();
      const wrapped = bytes && wrapUserKey({ userId, number }, bytes, under.key);
      return wrapped ? [{ userId, number, dataKeyId: under.id, wrapped, createdAt }] : [];
    }),
  );
  if (rows.length === 0) return;
  await sql.batch([insert("UserKey", rows, { unique: ["userId", "number"], set: ["dataKeyId", "wrapped"] })]);
}

const KEYS_AT_ONCE = 500;

/** Keys of users that do not open, except those under data keys that are `lost`. */
export async function* damagedUserKeys(lostDataKeys: readonly number[]): AsyncGenerator<SealedBy> {
  for (let after: SealedBy | undefined = { userId: "", number: 0 }; after; await turnOfOthers()) {
    const rows: UserKeyRow[] = await sql.read(userKeysAfter(after, KEYS_AT_ONCE));
    for (const row of rows) if (!lostDataKeys.includes(row.dataKeyId) && !(await openUserKey(row))) yield row;
    after = rows.at(-1);
  }
}
