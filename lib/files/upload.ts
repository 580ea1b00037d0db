import { db, transaction } from "@/lib/db/client";
import { lockUser } from "@/lib/db/lock";
import { env } from "@/lib/env";
import { ApiError, invalidParameter } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { changeDocument } from "./change-document";
import type { FileOwner } from "./document-change";
import { beginDraft, type PieceFacts, POSITIONS_APART, refreshDrafts } from "./draft";
import { DraftWriter } from "./draft-writer";
import { SIZE } from "./entry-meter";
import type { EntrySummary } from "./entry-summary";
import { entryText, fileValues } from "./entry-text";
import { entryNotFound, filesLimit, nameTaken } from "./errors";
import { dataUrlBegin } from "./file-data";
import { folderAt } from "./folder-at";
import { findFolder } from "./folders";
import { giveUp } from "./give-up";
import { indexedDocument } from "./index-document";
import { entriesNamed } from "./index-rows";
import { checkName } from "./names";
import { cutLarge, MOST } from "./pieces";
import { fileSummary, MOST_PART_BYTES, newFile, type OnExisting, tooLarge } from "./put-file";
import { leaveRoom } from "./room";
import { checkRoom, storedBytes } from "./upload-room";
import { encodeBytes, encodeText } from "./upload-text";

/** What has come of an upload may take so many times the quota, as text is written, and so many pieces beyond that. */
const MOST_GROWN = 2;
const PIECES_FREE = 32;
/** So much tells text from a data: URL. */
const LEAST_BEGIN_BYTES = 5;

/** How far an upload has come. */
export interface UploadState {
  received: number;
  totalBytes: number;
}

/**
 * Begins to store a file that comes in parts; one without progress for an hour is given up. `isText`: its data becomes
 * text instead of a data: URL. Throws as `putFile` does, 400 `invalid_parameter` for the size, 429 `too_many_uploads`.
 */
export async function beginUpload(
  user: FileOwner,
  parentId: string | undefined,
  { name, totalBytes, isText, onExisting }: { name: string; totalBytes: number; isText: boolean; onExisting: OnExisting },
  now: Date = new Date(),
): Promise<{ uploadId: string }> {
  checkName(name);
  if (!Number.isSafeInteger(totalBytes) || totalBytes < 0) throw invalidParameter("The size of a file is a whole number of bytes.");
  const document = await indexedDocument(user.id);
  if (document || parentId) {
    const folder = document && (await findFolder(document, parentId));
    if (!folder) throw entryNotFound();
    if (onExisting === "refuse" && (await entriesNamed(user.id, folder.pathKey, [name])).length > 0) throw nameTaken(name);
  }
  await leaveRoom();
  const id = newId();
  await transaction(async (tx) => {
    // So that two that begin at once see one another.
    await lockUser(tx, user.id);
    await checkRoom(tx, user.id, storedBytes(totalBytes, isText));
    await tx.fileDraft.create({ data: { id, userId: user.id, refreshedAt: now } });
    await tx.fileUpload.create({
      data: { id, userId: user.id, folderId: parentId ?? "", name, onExisting, isText, totalBytes: BigInt(totalBytes), received: 0n, carry: "", length: 0n },
    });
  });
  return { uploadId: id };
}

/**
 * Takes the bytes of a file from `offset` on: at most 4 MB. Throws 404 `upload_not_found`, 409 `wrong_offset` where these are not the
 * next ones (the header Upload-Offset says which are), 413 `too_large`, 400 `too_many_bytes`, 400 `not_text`; then nothing of it is taken.
 */
export async function addPart(user: FileOwner, uploadId: string, offset: number, bytes: Uint8Array): Promise<{ received: number }> {
  const upload = await findUpload(user, uploadId);
  const { totalBytes } = upload;
  if (bytes.length > MOST_PART_BYTES) throw tooLarge();
  if (offset !== upload.received) throw wrongOffset(upload.received);
  const received = offset + bytes.length;
  if (received > totalBytes) throw new ApiError(400, "too_many_bytes", `The file was said to have ${totalBytes} bytes, and this would be more.`);
  if (offset === 0 && received < Math.min(LEAST_BEGIN_BYTES, totalBytes)) throw invalidParameter(`The first part has at least ${LEAST_BEGIN_BYTES} bytes.`);
  const sent = Buffer.concat([Buffer.from(upload.carry, "hex"), bytes]);
  const part = upload.isText ? encodeText(sent, offset === 0) : encodeBytes(sent);
  if (!part) throw notText();

  await leaveRoom();
  const end = await endOf(uploadId);
  const pieces = Number(end / POSITIONS_APART) + Math.ceil(part.text.length / MOST);
  if ((pieces - PIECES_FREE) * MOST > MOST_GROWN * env.FILE_BYTES_PER_USER) throw grownTooLarge();
  const draftId = await beginDraft(user.id);
  try {
    await writeText(user.id, draftId, part.text, end);
    const length = upload.length + BigInt(part.length);
    await transaction(async (tx) => {
      const { count } = await tx.fileUpload.updateMany({
        where: { id: uploadId, received: BigInt(offset) },
        data: { received: BigInt(received), carry: part.carry.toString("hex"), length },
      });
      if (count === 0) throw wrongOffset(offset);
      await refreshDrafts(tx, [uploadId, draftId], new Date());
      await tx.filePiece.updateMany({ where: { draftId }, data: { draftId: uploadId } });
      await tx.fileDraft.delete({ where: { id: draftId } });
    });
  } catch (error) {
    await giveUp(draftId);
    throw error instanceof ApiError && error.code === "wrong_offset" ? wrongOffset((await findUpload(user, uploadId)).received) : error;
  }
  return { received };
}

/** How far an upload has come, so that a broken one goes on. Throws 404 `upload_not_found`. */
export async function uploadState(user: FileOwner, uploadId: string): Promise<UploadState> {
  const { received, totalBytes } = await findUpload(user, uploadId);
  return { received, totalBytes };
}

/** Makes a complete upload a file. Throws 404 `upload_not_found`, 409 `incomplete`, 400 `not_text`, and as `putFile` does; the upload stays then. */
export async function finishUpload(user: FileOwner, uploadId: string, now: Date = new Date()): Promise<EntrySummary> {
  const upload = await findUpload(user, uploadId);
  const { received, totalBytes, isText, name, carry } = upload;
  if (received < totalBytes) throw new ApiError(409, "incomplete", `Of ${totalBytes} bytes only ${received} have come.`, { "Upload-Offset": String(received) });
  if (isText && carry !== "") throw notText();
  const begin = isText ? "" : dataUrlBegin(name);
  const end = isText ? "" : Buffer.from(carry, "hex").toString("base64");
  return changeDocument(user, now, async (change) => {
    const head = await newFile(change, await folderAt(change, upload.folderId), name, upload.onExisting);
    const size = Number(upload.length) + begin.length + end.length;
    // The data stands between them, in the pieces that have come.
    const [type, called, location, , ...others] = fileValues(head, user, now, "").with(SIZE, size);
    const before = entryText([type, called, location]);
    const after = entryText(others);
    const pieces = await piecesOf(uploadId);
    const facts = { ...head, size: totalBytes, edited: String(now.getTime()), isBase64: !isText };
    change.add({ draftId: uploadId, head: Buffer.from(`${before},"${begin}`), pieces, tail: Buffer.from(`${end}"${after}`), facts });
    return fileSummary(head, totalBytes, begin, now);
  });
}

/** Gives an upload up. Throws 404 `upload_not_found`. */
export async function cancelUpload(user: FileOwner, uploadId: string): Promise<void> {
  await findUpload(user, uploadId);
  await giveUp(uploadId);
}

async function findUpload(user: FileOwner, id: string) {
  const upload = await db.fileUpload.findFirst({ where: { id, userId: user.id, draft: { refreshedAt: { not: null } } } });
  if (!upload) throw new ApiError(404, "upload_not_found", "This upload was given up. Begin again.");
  const onExisting: OnExisting = upload.onExisting === "replace" || upload.onExisting === "keep" ? upload.onExisting : "refuse";
  return { ...upload, onExisting, received: Number(upload.received), totalBytes: Number(upload.totalBytes) };
}

async function writeText(userId: string, draftId: string, text: Buffer, after: bigint): Promise<void> {
  const writer = new DraftWriter({ id: draftId, userId });
  try {
    for (const [n, part] of cutLarge(text).entries())
      await writer.add({ id: newId(), text: part, entries: 0, position: after + POSITIONS_APART * BigInt(n + 1) });
    await writer.flush();
  } finally {
    writer.close();
  }
}

async function endOf(draftId: string): Promise<bigint> {
  const last = await db.filePiece.findFirst({ where: { draftId }, orderBy: { position: "desc" }, select: { position: true } });
  return last?.position ?? 0n;
}

function piecesOf(draftId: string): Promise<PieceFacts[]> {
  return db.filePiece.findMany({
    where: { draftId },
    orderBy: { position: "asc" },
    select: { id: true, position: true, entries: true, plainLength: true, deflatedLength: true, crc: true },
  });
}

const wrongOffset = (received: number) =>
  new ApiError(409, "wrong_offset", `The next byte of this file is number ${received}.`, { "Upload-Offset": String(received) });
const grownTooLarge = () =>
  filesLimit(
    "As it is stored, this file takes more room than there is, or it came in parts that are too small. Cancel it, and send it as data in larger parts.",
  );
const notText = () => new ApiError(400, "not_text", "This file is not text. Send it as data.");
