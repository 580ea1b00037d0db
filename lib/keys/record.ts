import type { Caller } from "@/lib/accounts/identity/user";
import { sql } from "@/lib/platform/db/client";
import { manages, unixSeconds } from "./access";
import { dataOf, dataOfEach } from "./data";
import { holders, type KeyRow } from "./queries";
import { type KeyRecord, plainFields } from "./schema";

/** Usernames and since when each holds the key, in Unix seconds. */
export type Users = KeyRecord["users"];

/** What a record has of a key beside its data. */
type RecordedKey = Omit<KeyRow, "storedData" | "sealedWith">;

/**
 * The key as `caller` may see it: data for holders only, all holders only for its manager (contract, section 2). Throws
 * 500 `data_damaged`.
 */
export async function recordFor(caller: Caller, row: KeyRow): Promise<KeyRecord> {
  const data = row.since === null ? null : await dataOf(row);
  return asRecord(caller, row, { data, users: await usersFor(caller, row) });
}

/** The same after a change, or a call that changes nothing: it is no fault of theirs if the data does not open. */
export async function recordAfterChange(caller: Caller, row: KeyRow): Promise<KeyRecord> {
  const [data = null] = row.since === null ? [] : await dataOfEach([row]);
  return asRecord(caller, row, { data, users: await usersFor(caller, row) });
}

async function usersFor(caller: Caller, row: KeyRow): Promise<Users> {
  return manages(caller, row) ? holdersOf(row.id) : ownEntry(caller, row);
}

/** The record, if the data and the holders have been read. Null: the data does not open. */
export function asRecord(
  caller: Caller,
  row: RecordedKey,
  { data, users }: { data: string | null; users: Users },
): KeyRecord {
  const holds = row.since !== null;
  const { price, ...texts } = plainFields(row);
  return {
    key: row.id,
    id: row.id,
    ...texts,
    type: "standard",
    price: Number(price),
    creator: row.creator,
    isCreator: row.creatorId === caller.id,
    owned: holds,
    owns: holds,
    data: holds ? data : null,
    damaged: holds && data === null ? true : undefined,
    users,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** The holders shown to a caller who does not manage the key: the caller only. */
export function ownEntry(caller: Caller, row: Pick<KeyRow, "since" | "until">): Users {
  return row.since ? asUsers([{ username: caller.username, since: row.since, until: row.until }]) : {};
}

/** Every holder of one key, longest first; without those whose access has ended. */
export async function holdersOf(keyId: string): Promise<Users> {
  return asUsers(await sql.read(holders(keyId)));
}

/** `Object.fromEntries`, not assignment: a user may be called `__proto__`. */
export function asUsers(holders: { username: string; since: Date; until: Date | null }[]): Users {
  return Object.fromEntries(
    holders.map(({ username, since, until }) => [
      username,
      until ? { time: unixSeconds(since), until: unixSeconds(until) } : { time: unixSeconds(since) },
    ]),
  );
}
