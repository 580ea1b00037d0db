import { Prisma, sql } from "@/lib/db/client";
import { invalidParameter } from "@/lib/errors";
import { type KeyRow, manages, type Viewer } from "./find";
import { asRecord, asUsers, holdersOf, ownEntry, type Users } from "./record";
import type { KeyRecord } from "./schema";

/** Keys of one statement: this many at first, then as many as have a megabyte of data, so that a slow reader holds little. */
const FIRST_PAGE = 16;
const LARGEST_PAGE = 250;
const PAGE_BYTES = 1_000_000;
/** Holders of one statement; a page of keys that has more is asked key by key. */
const HOLDERS = 5_000;

/** A place in the list, "after this key": it stays good when that key is deleted. */
interface Cursor {
  createdAt: Date;
  id: string;
}

/** The keys that `viewer` holds, oldest first, after a cursor and `limit` at most; and the cursor for those after them. */
export async function keysOf(
  viewer: Viewer,
  { limit, after }: { limit?: number; after?: string },
): Promise<{ pages: AsyncGenerator<KeyRecord[]>; next?: string }> {
  const start = after === undefined ? undefined : readCursor(after);
  const next = limit === undefined ? undefined : await cursorAfter(viewer, limit, start);
  return { pages: pagesOf(viewer, limit ?? Number.POSITIVE_INFINITY, start), next };
}

async function* pagesOf(viewer: Viewer, limit: number, start: Cursor | undefined): AsyncGenerator<KeyRecord[]> {
  let cursor = start;
  let size = FIRST_PAGE;
  for (let left = limit; left > 0; ) {
    const rows = await page(viewer, Math.min(size, left), cursor);
    yield await asRecords(viewer, rows);
    if (rows.length < Math.min(size, left)) return;
    left -= rows.length;
    cursor = rows.at(-1);
    const bytes = rows.reduce((sum, { data }) => sum + data.length, 0);
    size = Math.max(FIRST_PAGE, Math.min(LARGEST_PAGE, 4 * size, Math.floor((PAGE_BYTES * rows.length) / (bytes + 1))));
  }
}

/** The cursor behind `limit` keys, where more follow. */
async function cursorAfter(viewer: Viewer, limit: number, start: Cursor | undefined): Promise<string | undefined> {
  const rows = await sql.$queryRaw<{ createdAt: Date; id: string }[]>`
    SELECT h."keyCreatedAt" AS "createdAt", h."keyId" AS "id" FROM "Holder" h
    WHERE h."userId" = ${viewer.id} AND h."hiddenAt" IS NULL ${startingAt(start)}
    ORDER BY h."keyCreatedAt", h."keyId" LIMIT 2 OFFSET ${limit - 1}`;
  return rows[1] && rows[0] && writeCursor(rows[0]);
}

function startingAt(after: Cursor | undefined): Prisma.Sql {
  return after ? Prisma.sql`AND (h."keyCreatedAt", h."keyId") > (${after.createdAt}, ${after.id})` : Prisma.empty;
}

function page(viewer: Viewer, limit: number, after: Cursor | undefined): Promise<KeyRow[]> {
  return sql.$queryRaw<KeyRow[]>`
    SELECT k."id", k."creatorId", c."username" AS "creator", k."name", k."data", k."price", k."createdAt", k."updatedAt", h."since"
    FROM "Holder" h JOIN "Key" k ON k."id" = h."keyId" JOIN "User" c ON c."id" = k."creatorId"
    WHERE h."userId" = ${viewer.id} AND h."hiddenAt" IS NULL ${startingAt(after)}
    ORDER BY h."keyCreatedAt", h."keyId" LIMIT ${limit}`;
}

async function asRecords(viewer: Viewer, rows: KeyRow[]): Promise<KeyRecord[]> {
  const managed = rows.filter((row) => manages(viewer, row)).map((row) => row.id);
  const users = managed.length > 0 ? await holdersOfMany(managed) : new Map<string, Users>();
  return rows.map((row) => asRecord(viewer, row, users.get(row.id) ?? ownEntry(viewer, row)));
}

async function holdersOfMany(keyIds: string[]): Promise<Map<string, Users>> {
  const holders = await sql.$queryRaw<{ keyId: string; username: string; since: Date }[]>`
    SELECT h."keyId", u."username", h."since" FROM "Holder" h JOIN "User" u ON u."id" = h."userId"
    WHERE h."keyId" IN (${Prisma.join(keyIds)}) ORDER BY h."since", u."username" LIMIT ${HOLDERS}`;
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

function writeCursor({ createdAt, id }: Cursor): string {
  return Buffer.from(`${createdAt.getTime()}.${id}`).toString("base64url");
}

function readCursor(text: string): Cursor {
  const match = /^(\d{1,15})\.([0-9a-f]{32})$/.exec(Buffer.from(text, "base64url").toString());
  if (!match?.[1] || !match[2]) throw invalidParameter("The parameter after must be what the Link header of the page before gave.");
  return { createdAt: new Date(Number(match[1])), id: match[2] };
}
