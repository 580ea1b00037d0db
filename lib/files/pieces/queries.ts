import { Prisma } from "@/lib/platform/db/client";
import { manyBytes, rowShape, sqlChange } from "@/lib/platform/db/statement";

/** Live pieces: published and not retired. In SQL, where "FilePiece" is called p, and for Prisma. */
export const LIVE_SQL = Prisma.sql`p."bornVersion" IS NOT NULL AND p."retiredVersion" IS NULL`;
export const LIVE = { bornVersion: { not: null }, retiredVersion: null };

/** The pieces of this version, as `piecesBetween` selects them in SQL. */
export function ofVersion(version: number) {
  return { bornVersion: { lte: version }, OR: [{ retiredVersion: null }, { retiredVersion: { gt: version } }] };
}

const version = rowShape(
  { v: "FileVersion" },
  {
    version: "v.version",
    publishedAt: "v.publishedAt",
    entries: "v.entries",
    plainLength: "v.plainLength",
    gzipLength: "v.gzipLength",
    crc: "v.crc",
    etag: "v.etag",
  },
);
export const newestVersion = (userId: string) => version.from`
  "FileVersion" v WHERE v."userId" = ${userId} ORDER BY v."version" DESC LIMIT 1`;

const piece = rowShape(
  { p: "FilePiece" },
  {
    id: "p.id",
    position: "p.position",
    plainLength: "p.plainLength",
    deflatedLength: "p.deflatedLength",
    crc: "p.crc",
  },
);
/** Pieces of a version between two positions, in the document's order. */
export const piecesBetween = (
  { userId, version }: { userId: string; version: number },
  { after, before, limit }: { after: bigint; before: bigint; limit: number },
) => piece.from`
  "FilePiece" p WHERE p."userId" = ${userId} AND p."position" > ${after} AND p."position" < ${before}
    AND p."bornVersion" <= ${version} AND (p."retiredVersion" IS NULL OR p."retiredVersion" > ${version})
  ORDER BY p."position" LIMIT ${limit}`;

const content = rowShape(
  { c: "FileContent" },
  { pieceId: "c.pieceId", deflated: manyBytes('c."deflated"'), sealedWith: "c.sealedWith" },
);
export const contents = (pieceIds: readonly string[]) => content.from`
  "FileContent" c WHERE c."pieceId" IN (${Prisma.join([...pieceIds])})`;

/** Of these contents, those in the clear or sealed with a former key: its number is lower than this. */
export const contentsToReseal = (pieceIds: readonly string[], number: number) => content.from`
  "FileContent" c WHERE c."pieceId" IN (${Prisma.join([...pieceIds])})
    AND (c."sealedWith" IS NULL OR c."sealedWith" < ${number})`;

/** Replaces a content with the same, sealed with another key than `from`, unless another process just has. */
export const resealContent = (
  { pieceId, deflated, sealedWith }: { pieceId: string; deflated: Uint8Array; sealedWith: number },
  from: number | null,
) => sqlChange`
  UPDATE "FileContent" SET "deflated" = ${deflated}, "sealedWith" = ${sealedWith}
  WHERE "pieceId" = ${pieceId} AND "sealedWith" IS NOT DISTINCT FROM ${from}`;

/** Removes rows of the index: entries that begin in this piece. */
export const removeRows = (pieceId: string, limit: number) => sqlChange`
  DELETE FROM "FileEntry" WHERE "id" IN (SELECT "id" FROM "FileEntry" WHERE "pieceId" = ${pieceId} LIMIT ${limit})`;
