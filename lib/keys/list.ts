import { db, Prisma } from "@/lib/db/client";
import type { Viewer } from "./find";
import { contains, readPage, readSearch } from "./search";

/** Keys of one page. */
export const KEYS_A_PAGE = 25;

/** A key in a list: what may stand there without being asked for. */
export interface KeySummary {
  id: string;
  name: string;
  price: string;
  creator: string;
  /** Since when the viewer holds it. */
  since: Date;
  /** How many users hold it; null for who did not make it. */
  holders: number | null;
  /** How many keys of the same creator the viewer holds; null for who made it. */
  ofCreator: number | null;
}

export interface KeyList {
  keys: KeySummary[];
  /** How many the search finds: of those that the viewer made, and of those that others added the viewer to. */
  made: number;
  given: number;
  /** The page that `keys` is, counted from 1. */
  page: number;
}

/** One page of the keys that the viewer holds, of one kind, newest first. A page past the end is the last one. */
export async function listKeys(viewer: Viewer, asked: { kind: "made" | "given"; search: string; page: string }): Promise<KeyList> {
  const search = readSearch(asked.search);
  const found = search === "" ? Prisma.empty : Prisma.sql`AND ${contains(search, [Prisma.sql`k."name"`, Prisma.sql`k."id"`, Prisma.sql`c."username"`])}`;
  const held = Prisma.sql`"Holder" h JOIN "Key" k ON k."id" = h."keyId" JOIN "User" c ON c."id" = k."creatorId" WHERE h."userId" = ${viewer.id} AND h."hiddenAt" IS NULL`;

  const [counted] = await db.$queryRaw<{ made: bigint; held: bigint }[]>`
    SELECT count(*) FILTER (WHERE k."creatorId" = ${viewer.id}) AS "made", count(*) AS "held" FROM ${held} ${found}`;
  const made = Number(counted?.made ?? 0);
  const given = Number(counted?.held ?? 0) - made;
  const page = readPage(asked.page, asked.kind === "made" ? made : given, KEYS_A_PAGE);

  const kind = asked.kind === "made" ? Prisma.sql`AND k."creatorId" = ${viewer.id}` : Prisma.sql`AND k."creatorId" <> ${viewer.id}`;
  const holders = asked.kind === "made" ? Prisma.sql`(SELECT count(*) FROM "Holder" o WHERE o."keyId" = k."id")` : Prisma.sql`NULL`;
  const rows = await db.$queryRaw<(Omit<KeySummary, "holders" | "ofCreator"> & { holders: bigint | null; creatorId: string })[]>`
    SELECT k."id", k."creatorId", k."name", k."price", c."username" AS "creator", h."since", ${holders} AS "holders" FROM ${held} ${found} ${kind}
    ORDER BY h."since" DESC, k."id" LIMIT ${KEYS_A_PAGE} OFFSET ${(page - 1) * KEYS_A_PAGE}`;
  const ofCreators = asked.kind === "given" && rows.length > 0 ? await heldOfEach(held, [...new Set(rows.map(({ creatorId }) => creatorId))]) : new Map();
  const keys = rows.map(({ creatorId, ...row }) => ({
    ...row,
    holders: row.holders === null ? null : Number(row.holders),
    ofCreator: ofCreators.get(creatorId) ?? null,
  }));
  return { keys, made, given, page };
}

/** How many of the keys that are `held` each of these creators made. */
async function heldOfEach(held: Prisma.Sql, creatorIds: string[]): Promise<Map<string, number>> {
  const counts = await db.$queryRaw<{ creatorId: string; keys: bigint }[]>`
    SELECT k."creatorId", count(*) AS "keys" FROM ${held} AND k."creatorId" IN (${Prisma.join(creatorIds)}) GROUP BY k."creatorId"`;
  return new Map(counts.map(({ creatorId, keys }) => [creatorId, Number(keys)]));
}
