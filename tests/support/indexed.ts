import { expect } from "vitest";
import { bytesStatement, db, Prisma } from "@/lib/db/client";
import { exportDocument } from "@/lib/files/export";
import { IndexKeys } from "@/lib/files/index-keys";
import { nameSortKey } from "@/lib/files/sort-key";
import { textOf } from "./documents";

const VALUES = 14;
const DATA_URL = /^data:[^,]{0,250};base64,/;

/** The 14 values of each entry. */
export function entriesOf(document: readonly unknown[]): unknown[][] {
  return Array.from({ length: document.length / VALUES }, (_, n) => document.slice(n * VALUES, (n + 1) * VALUES));
}

/** The bytes that a file's data stands for; those of a folder are none. */
export function contentBytes(data: unknown): { bytes: Buffer; isBase64: boolean } {
  if (typeof data !== "string") return { bytes: Buffer.from(JSON.stringify(data)), isBase64: false };
  const text = data;
  const begin = DATA_URL.exec(text)?.[0];
  const digits = begin === undefined ? undefined : text.slice(begin.length);
  // One expression for groups of four would need a stack as deep as there are groups.
  if (digits === undefined || digits.length % 4 !== 0 || /[^A-Za-z0-9+/]/.test(digits.replace(/={1,2}$/, "")))
    return { bytes: Buffer.from(text), isBase64: false };
  return { bytes: Buffer.from(digits, "base64"), isBase64: true };
}

function rowOf(keys: IndexKeys, [type, name, location, data, , , , , , edited, , , , id]: readonly unknown[]) {
  const isFolder = type === ".folder";
  const list: unknown[] = !isFolder ? [] : typeof data === "string" ? JSON.parse(data.trim() || "[]") : Array.isArray(data) ? data : [];
  const { bytes, isBase64 } = contentBytes(data);
  const label = String(name)
    .slice(0, 255)
    .replace(/\p{Cc}/gu, "\ufffd")
    .toWellFormed();
  return {
    entryId: id,
    entryBucket: keys.bucketOf(String(id)),
    parentKey: keys.ofPath(String(location)),
    nameKey: nameSortKey(isFolder ? label : `${label}${type}`),
    pathKey: isFolder ? keys.ofPath(`${location}/${name}`) : null,
    label,
    type,
    size: isFolder ? list.length : bytes.length,
    edited: Number.isSafeInteger(edited) ? edited : null,
    isBase64: !isFolder && isBase64,
  };
}

/** Looks whether the index of what readers get is the one that the document itself gives, in the document's order. */
export async function expectIndexed(userId: string): Promise<void> {
  const { indexSpace } = await db.fileDocument.findUniqueOrThrow({ where: { userId } });
  const keys = new IndexKeys(indexSpace ?? "");
  const rows = await bytesStatement(Prisma.sql`
    SELECT e."entryId", e."entryBucket", e."parentKey", e."nameKey", e."pathKey", e."label", e."type", e."size", e."edited", e."isBase64"
    FROM "FileEntry" e JOIN "FilePiece" p ON p."id" = e."pieceId"
    WHERE p."userId" = ${userId} AND p."bornVersion" IS NOT NULL AND p."retiredVersion" IS NULL ORDER BY p."position", e."start"`);
  const stored = rows.map(([entryId, entryBucket, parentKey, nameKey, pathKey, label, type, size, edited, isBase64]) => ({
    entryId,
    entryBucket: Number(entryBucket),
    parentKey,
    nameKey: Buffer.from(nameKey as Uint8Array).toString("hex"),
    pathKey,
    label,
    type,
    size: Number(size),
    edited: edited === null ? null : Number(edited),
    isBase64: Boolean(isBase64),
  }));
  const document: unknown[] = JSON.parse(await textOf(await exportDocument(userId)));
  expect(stored).toEqual(entriesOf(document).map((values) => rowOf(keys, values)));
}
