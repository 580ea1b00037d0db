import { db, Prisma } from "@/lib/db/client";
import { invalidParameter } from "@/lib/errors";
import { type KeyRow, manages, type Viewer } from "./find";
import { asRecord, asUsers, holdersOf, ownEntry, type Users } from "./record";
import type { KeyRecord } from "./schema";

/** Keys of one statement: with 64 KiB of data each, some 16 MB. */
const PAGE = 250;
/** Holders of one statement; a page of keys that has more is asked key by key. */
const HOLDERS = 5_000;

/** A place in the list, "after this key": it stays good when that key is deleted. */
interface Cursor {
  createdAt: Date;
  id: string;
}

/** The keys that `viewer` holds, oldest first: `limit` of them after the cursor, and the cursor for the next ones where more follow. */
export async function keysOf(viewer: Viewer, limit: number, after?: string): Promise<{ records: KeyRecord[]; next?: string }> {
  const records: KeyRecord[] = [];
  let cursor = after === undefined ? undefined : readCursor(after);
  while (records.length <= limit) {
    const rows = await page(viewer, Math.min(PAGE, limit + 1 - records.length), cursor);
    records.push(...(await asRecords(viewer, rows)));
    const last = rows.at(-1);
    if (!last || records.length > limit || rows.length < PAGE) break;
    cursor = last;
  }
  if (records.length <= limit) return { records };
  const last = records[limit - 1];
  return { records: records.slice(0, limit), next: last && writeCursor({ createdAt: new Date(last.createdAt), id: last.id }) };
}

/** All of them after the cursor, in pages of bounded size, for an answer of any length. */
export async function* allKeysOf(viewer: Viewer, after?: string): AsyncGenerator<KeyRecord[]> {
  let cursor = after === undefined ? undefined : readCursor(after);
  for (;;) {
    const rows = await page(viewer, PAGE, cursor);
    yield await asRecords(viewer, rows);
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    cursor = last;
  }
}

function page(viewer: Viewer, limit: number, after: Cursor | undefined): Promise<KeyRow[]> {
  const start = after ? Prisma.sql`AND (h."keyCreatedAt", h."keyId") > (${after.createdAt}, ${after.id})` : Prisma.empty;
  return db.$queryRaw<KeyRow[]>`
    SELECT k."id", k."creatorId", c."username" AS "creator", k."name", k."data", k."price", k."createdAt", k."updatedAt", h."since"
    FROM "Holder" h JOIN "Key" k ON k."id" = h."keyId" JOIN "User" c ON c."id" = k."creatorId"
    WHERE h."userId" = ${viewer.id} ${start}
    ORDER BY h."keyCreatedAt", h."keyId" LIMIT ${limit}`;
}

async function asRecords(viewer: Viewer, rows: KeyRow[]): Promise<KeyRecord[]> {
  const managed = rows.filter((row) => manages(viewer, row)).map((row) => row.id);
  const users = managed.length > 0 ? await holdersOfMany(managed) : new Map<string, Users>();
  return rows.map((row) => asRecord(viewer, row, users.get(row.id) ?? ownEntry(viewer, row)));
}

async function holdersOfMany(keyIds: string[]): Promise<Map<string, Users>> {
  const holders = await db.$queryRaw<{ keyId: string; username: string; since: Date }[]>`
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
