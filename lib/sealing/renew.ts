import type { KeyObject } from "node:crypto";
import { sql } from "@/lib/db/client";
import { insert } from "@/lib/db/insert";
import { type DataKey, newKeyBytes } from "./data-keys";
import { addUserKey, everyKeyOf, type UserKeyRow } from "./rows";
import { openUserKey, type UserKey, wrapUserKey } from "./user-keys";

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
        await tx.write(addUserKey(userId, number, under.id, wrapped, now));
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
 * Stores the users' former keys under this data key. They may still be needed: whoever asked for the newest key a
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
