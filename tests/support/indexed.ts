import { expect } from "vitest";
import { IndexKeys } from "@/lib/files/index/entry";
import { nameSortKey } from "@/lib/files/index/order";
import { withEnd } from "@/lib/files/pieces/gzip";
import { totalsOf, withoutMask } from "@/lib/files/pieces/piece";
import { openContent, sealContent } from "@/lib/files/pieces/seal";
import { exportDocument } from "@/lib/files/read";
import { addKey, currentUserKey, forgetUserKeys, type UserKey } from "@/lib/platform/crypto/user-keys";
import { db } from "@/lib/platform/db/client";
import { textOf } from "./documents";

const VALUES = 14;
const DATA_URL = /^data:[^,]{0,250};base64,/;

export function entriesOf(document: readonly unknown[]): unknown[][] {
  return Array.from({ length: document.length / VALUES }, (_, n) => document.slice(n * VALUES, (n + 1) * VALUES));
}

export function contentBytes(data: unknown): { bytes: Buffer; isBase64: boolean } {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  const [begin] = DATA_URL.exec(text) ?? [];
  const digits = begin === undefined ? undefined : text.slice(begin.length);
  // A single expression for groups of four would need a stack as deep as the number of groups.
  if (digits === undefined || digits.length % 4 !== 0 || /[^A-Za-z0-9+/]/.test(digits.replace(/={1,2}$/, "")))
    return { bytes: Buffer.from(text), isBase64: false };
  return { bytes: Buffer.from(digits, "base64"), isBase64: true };
}

function rowOf(keys: IndexKeys, [type, name, location, data, , , , , , edited, , , , id]: readonly unknown[]) {
  const isFolder = type === ".folder";
  const list: unknown = isFolder && typeof data === "string" ? JSON.parse(data.trim() || "[]") : data;
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
    size: !isFolder ? bytes.length : Array.isArray(list) ? list.length : 0,
    edited: Number.isSafeInteger(edited) ? edited : null,
    isBase64: !isFolder && isBase64,
  };
}

export async function expectIndexed(userId: string): Promise<void> {
  const { indexSpace } = await db.fileDocument.findUniqueOrThrow({ where: { userId } });
  const keys = new IndexKeys(indexSpace ?? "");
  const rows = await db.fileEntry.findMany({
    where: { piece: { userId, bornVersion: { not: null }, retiredVersion: null } },
    orderBy: [{ piece: { position: "asc" } }, { start: "asc" }],
  });
  const stored = rows.map(({ id, pieceId, start, rank, typeKey, editedOrder, ...row }) => ({
    ...row,
    entryBucket: Number(row.entryBucket),
    nameKey: Buffer.from(row.nameKey).toString("hex"),
    size: Number(row.size),
    edited: row.edited === null ? null : Number(row.edited),
  }));
  const document: unknown[] = JSON.parse(await textOf(await exportDocument(userId)));
  expect(stored).toEqual(entriesOf(document).map((values) => rowOf(keys, values)));
}

/** Checks that only the newest version is stored for a user. */
export async function expectSwept(userId: string): Promise<void> {
  const select = { bornVersion: true, retiredVersion: true };
  const pieces = await db.filePiece.findMany({ where: { userId }, select });
  const left = pieces.filter(({ bornVersion, retiredVersion }) => bornVersion === null || retiredVersion !== null);
  expect(left).toEqual([]);
  expect(await db.fileContent.count({ where: { piece: { userId } } })).toBe(pieces.length);
  expect(await db.fileDraft.count({ where: { userId } })).toBe(0);
  expect(await db.fileVersion.count({ where: { userId } })).toBe(1);
}

export async function piecesOf(userId: string) {
  const orderBy = [{ position: "asc" }, { id: "asc" }] as const;
  const pieces = await db.filePiece.findMany({ where: { userId }, orderBy: [...orderBy], include: { content: true } });
  return pieces.map(({ content, ...piece }) => {
    if (!content) throw new Error("A piece has no content.");
    return { ...piece, content };
  });
}

export const contentsOf = async (userId: string) => (await piecesOf(userId)).map(({ content }) => content);

export async function pieceOf({ id }: { id: string }, n: number) {
  const piece = (await piecesOf(id))[n];
  if (!piece) throw new Error("There are too few pieces.");
  return piece;
}

export async function newerKey(userId: string): Promise<UserKey> {
  const { number } = await currentUserKey(userId);
  await addKey(userId, number + 1);
  forgetUserKeys();
  return currentUserKey(userId);
}

export async function unseal(userId: string, pieceIds?: readonly string[]): Promise<void> {
  for (const content of await contentsOf(userId)) {
    if (pieceIds && !pieceIds.includes(content.pieceId)) continue;
    const deflated = new Uint8Array(await openContent(userId, content));
    await db.fileContent.update({ where: { pieceId: content.pieceId }, data: { deflated, sealedWith: null } });
  }
}

export async function unmask(userId: string): Promise<void> {
  const key = await currentUserKey(userId);
  for (const { content, ...piece } of await piecesOf(userId)) {
    const opened = withoutMask(piece, await openContent(userId, content));
    if (!opened) throw new Error("A piece has no mask.");
    const { pieceId, ...data } = sealContent(userId, { pieceId: piece.id, deflated: opened.deflated }, key);
    await db.fileContent.update({ where: { pieceId }, data });
    await db.filePiece.update({ where: { id: pieceId }, data: { crc: BigInt(opened.crc) } });
  }
  const { crc } = totalsOf(await piecesOf(userId));
  await db.fileVersion.updateMany({ where: { userId }, data: { crc: BigInt(withEnd(crc)) } });
}
