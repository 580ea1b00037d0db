import type { Caller } from "@/lib/accounts/identity/user";
import { sql } from "@/lib/platform/db/client";
import { invalidParameter } from "@/lib/platform/errors";
import { manages, unixSeconds } from "./access";
import { dataOf, dataOfEach } from "./data";
import { endOfPage, heldKeys, holders, holdersOfEach, type KeyPosition, type KeyRow } from "./queries";
import { type KeyRecord, plainFields } from "./schema";

/** Usernames and since when each holds the key, in Unix seconds. */
type Users = KeyRecord["users"];

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
async function holdersOf(keyId: string): Promise<Users> {
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

/** Keys per statement: this many at first, then about one megabyte of data, so that a slow reader holds little. */
const FIRST_PAGE = 16;
const LARGEST_PAGE = 250;
const PAGE_BYTES = 1_000_000;
/** Holders per statement. If a page of keys has more, they are read key by key. */
const HOLDERS = 5_000;

/** The keys that `caller` holds, oldest first, at most `limit` after a cursor; and the cursor for the next ones. */
export async function keysOf(
  caller: Caller,
  { limit, after }: { limit?: number; after?: string },
): Promise<{ pages: AsyncGenerator<KeyRecord[]>; next?: string }> {
  const start = after === undefined ? undefined : readCursor(after);
  const next = limit === undefined ? undefined : await cursorAfter(caller, limit, start);
  return { pages: pagesOf(caller, limit ?? Number.POSITIVE_INFINITY, start), next };
}

async function* pagesOf(caller: Caller, limit: number, start: KeyPosition | undefined): AsyncGenerator<KeyRecord[]> {
  let cursor = start;
  let size = FIRST_PAGE;
  for (let left = limit; left > 0; ) {
    const rows = await sql.read(heldKeys(caller.id, { limit: Math.min(size, left), after: cursor }));
    yield await asRecords(caller, rows);
    if (rows.length < Math.min(size, left)) return;
    left -= rows.length;
    cursor = rows.at(-1);
    const bytes = rows.reduce((sum, { storedData }) => sum + storedData.length, 0);
    size = Math.max(FIRST_PAGE, Math.min(LARGEST_PAGE, 4 * size, Math.floor((PAGE_BYTES * rows.length) / (bytes + 1))));
  }
}

/** The cursor after `limit` keys, if more follow. */
async function cursorAfter(caller: Caller, limit: number, start: KeyPosition | undefined): Promise<string | undefined> {
  const rows = await sql.read(endOfPage(caller.id, { limit, after: start }));
  return rows[1] && rows[0] && writeCursor(rows[0]);
}

async function asRecords(caller: Caller, rows: KeyRow[]): Promise<KeyRecord[]> {
  const managed = rows.filter((row) => manages(caller, row)).map((row) => row.id);
  const users = managed.length > 0 ? await holdersOfMany(managed) : new Map<string, Users>();
  const data = await dataOfEach(rows);
  return rows.flatMap((row, n) => {
    const own = data[n];
    if (own === undefined) return [];
    return asRecord(caller, row, { data: own, users: users.get(row.id) ?? ownEntry(caller, row) });
  });
}

async function holdersOfMany(keyIds: string[]): Promise<Map<string, Users>> {
  const holders = await sql.read(holdersOfEach(keyIds, HOLDERS));
  const users = new Map<string, Users>();
  if (holders.length === HOLDERS) {
    for (const id of keyIds) users.set(id, await holdersOf(id));
    return users;
  }
  const byKey = new Map(keyIds.map((id) => [id, [] as typeof holders]));
  for (const holder of holders) byKey.get(holder.keyId)?.push(holder);
  for (const [id, group] of byKey) users.set(id, asUsers(group));
  return users;
}

function writeCursor({ createdAt, id }: KeyPosition): string {
  return Buffer.from(`${createdAt.getTime()}.${id}`).toString("base64url");
}

function readCursor(text: string): KeyPosition {
  const match = /^(\d{1,15})\.([0-9a-f]{32})$/.exec(Buffer.from(text, "base64url").toString());
  if (!match?.[1] || !match[2])
    throw invalidParameter("The parameter after must be the value from the previous page's Link header.");
  return { createdAt: new Date(Number(match[1])), id: match[2] };
}
