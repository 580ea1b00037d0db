import { sql } from "@/lib/db/client";
import { invalidParameter } from "@/lib/errors";
import type { Caller } from "@/lib/user";
import { manages } from "./find";
import { asRecord, asUsers, holdersOf, ownEntry, type Users } from "./record";
import { heldKeys, holdersOfEach, type KeyPlace, type KeyRow, placesAtEnd } from "./rows";
import type { KeyRecord } from "./schema";
import { dataOfEach } from "./sealed-data";

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

async function* pagesOf(caller: Caller, limit: number, start: KeyPlace | undefined): AsyncGenerator<KeyRecord[]> {
  let cursor = start;
  let size = FIRST_PAGE;
  for (let left = limit; left > 0; ) {
    const rows = await sql.read(heldKeys(caller.id, Math.min(size, left), cursor));
    yield await asRecords(caller, rows);
    if (rows.length < Math.min(size, left)) return;
    left -= rows.length;
    cursor = rows.at(-1);
    const bytes = rows.reduce((sum, { storedData }) => sum + storedData.length, 0);
    size = Math.max(FIRST_PAGE, Math.min(LARGEST_PAGE, 4 * size, Math.floor((PAGE_BYTES * rows.length) / (bytes + 1))));
  }
}

/** The cursor after `limit` keys, if more follow. */
async function cursorAfter(caller: Caller, limit: number, start: KeyPlace | undefined): Promise<string | undefined> {
  const rows = await sql.read(placesAtEnd(caller.id, limit, start));
  return rows[1] && rows[0] && writeCursor(rows[0]);
}

async function asRecords(caller: Caller, rows: KeyRow[]): Promise<KeyRecord[]> {
  const managed = rows.filter((row) => manages(caller, row)).map((row) => row.id);
  const users = managed.length > 0 ? await holdersOfMany(managed) : new Map<string, Users>();
  const data = await dataOfEach(rows);
  return rows.map((row, n) => asRecord(caller, row, data[n] ?? null, users.get(row.id) ?? ownEntry(caller, row)));
}

async function holdersOfMany(keyIds: string[]): Promise<Map<string, Users>> {
  const holders = await sql.read(holdersOfEach(keyIds, HOLDERS));
  const found = new Map<string, Users>();
  if (holders.length === HOLDERS) {
    for (const id of keyIds) found.set(id, await holdersOf(id));
    return found;
  }
  const byKey = new Map(keyIds.map((id) => [id, [] as typeof holders]));
  for (const holder of holders) byKey.get(holder.keyId)?.push(holder);
  for (const [id, group] of byKey) found.set(id, asUsers(group));
  return found;
}

function writeCursor({ createdAt, id }: KeyPlace): string {
  return Buffer.from(`${createdAt.getTime()}.${id}`).toString("base64url");
}

function readCursor(text: string): KeyPlace {
  const match = /^(\d{1,15})\.([0-9a-f]{32})$/.exec(Buffer.from(text, "base64url").toString());
  if (!match?.[1] || !match[2])
    throw invalidParameter("The parameter after must be the value from the previous page's Link header.");
  return { createdAt: new Date(Number(match[1])), id: match[2] };
}
