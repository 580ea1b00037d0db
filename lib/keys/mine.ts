import type { Caller } from "@/lib/accounts/identity/user";
import { sql } from "@/lib/platform/db/client";
import { invalidParameter } from "@/lib/platform/errors";
import { manages } from "./access";
import { dataOfEach } from "./data";
import { endOfPage, heldKeys, holdersOfEach, type KeyPosition, type KeyRow } from "./queries";
import { asRecord, asUsers, holdersOf, ownEntry, type Users } from "./record";
import type { KeyRecord } from "./schema";

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
