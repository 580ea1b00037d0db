import { db, type Statements, transaction } from "@/lib/platform/db/client";
import { requireFreeSpace } from "@/lib/platform/db/free-space";
import { lockUser } from "@/lib/platform/db/lock";
import { ApiError, invalidParameter } from "@/lib/platform/errors";
import { newId } from "@/lib/platform/ids";
import { DAY_MS } from "@/lib/platform/time";
import { changeDocument } from "./change/change";
import { discardDraft, refreshDrafts } from "./change/draft";
import { folderAt } from "./change/located";
import { formsOf, newFile, storedBefore, summaryOfNew } from "./change/names";
import { checkUploadQuota, findUpload, type OpenUpload, storedBytes, storePart, wrongOffset } from "./change/upload";
import { dataUrlBegin, encodeBytes, encodeText } from "./document/content";
import { checkName, type FileOwner, ROOT_NAME, SIZE, USERS } from "./document/entry";
import { editedAt, entryText, entryValues } from "./document/splices";
import { entryNotFound, nameTaken, partTooLarge } from "./errors";
import { displayName, summaryOf } from "./index/entry";
import { entriesById, entriesNamed, findFolder, type IndexedDocument, indexedDocument } from "./index/find";
import type { StoredIndexEntry } from "./index/queries";
import { filesSummary } from "./list";
import { outlineOfDraft } from "./pieces/piece";
import { type EntrySummary, type OnExisting, PART_BYTES } from "./schema";

/** A file to be uploaded in parts. */
interface AnnouncedFile {
  name: string;
  totalBytes: number;
  /** Its data becomes text instead of a data: URL. */
  isText: boolean;
  /** When it was last changed, in Unix ms, as its sender reports. Without it, no earlier upload of it is resumed. */
  modified?: number;
  onExisting: OnExisting;
}

/**
 * Begins an upload in parts, or resumes an unfinished one of the same file into the same folder; one without progress
 * is discarded later (`RESUMABLE_MS`). Throws as `putFile` does, 400 `invalid_parameter` for the size,
 * 429 `too_many_uploads`.
 */
export async function beginUpload(
  user: FileOwner,
  parentId: string | undefined,
  { now = new Date(), ...file }: AnnouncedFile & { now?: Date },
): Promise<{ uploadId: string; received: number }> {
  const { name, totalBytes, isText, onExisting } = file;
  checkName(name);
  if (!Number.isSafeInteger(totalBytes) || totalBytes < 0)
    throw invalidParameter("The size of a file must be a whole number of bytes.");
  const [refusal] = await usedNames(user, parentId, [name]);
  if (refusal && onExisting === "refuse") throw refusal;
  await requireFreeSpace();
  return transaction(async (tx) => {
    // So that two that begin concurrently see each other.
    await lockUser(tx, user.id);
    const begun = await resumed(tx, user, { ...file, folderId: parentId ?? "", now });
    if (begun) return begun;
    const id = newId();
    await checkUploadQuota(tx, user.id, {
      stored: await filesSummary(user.id, tx),
      bytes: storedBytes(totalBytes, isText),
    });
    await tx.fileDraft.create({ data: { id, userId: user.id, refreshedAt: now } });
    await tx.fileUpload.create({
      data: {
        id,
        userId: user.id,
        folderId: parentId ?? "",
        name,
        onExisting,
        isText,
        totalBytes: BigInt(totalBytes),
        modified: file.modified === undefined ? null : BigInt(file.modified),
        received: 0n,
        carry: "",
        length: 0n,
      },
    });
    return { uploadId: id, received: 0 };
  });
}

/**
 * For each of these names, the refusal 409 `name_taken` of a file of that name in this folder, or undefined if it is
 * free there. Throws 404 `entry_not_found`, 400 `not_a_folder`.
 */
export async function usedNames(
  user: FileOwner,
  parentId: string | undefined,
  names: readonly string[],
): Promise<(ApiError | undefined)[]> {
  const document = await indexedDocument(user.id);
  if (!document && parentId) throw entryNotFound();
  if (!document) return names.map(() => undefined);
  const folder = await findFolder(document, parentId);
  const entries = await entriesNamed(user.id, folder.pathKey, names.flatMap(formsOf));
  return names.map((name) => {
    const forms = formsOf(name);
    const existing = entries.find((entry) => forms.includes(displayName(entry)));
    return existing && nameTaken(shownName(document, folder), { name, existing: summaryOf(existing) });
  });
}

/** The displayed name of a folder. */
function shownName({ indexKeys }: IndexedDocument, folder: StoredIndexEntry): string {
  return folder.parentKey === indexKeys.ofPath(USERS) ? ROOT_NAME : displayName(folder);
}

/** The unfinished upload of the same file into this folder, if there is one. */
async function resumed(
  tx: Statements,
  { id: userId }: FileOwner,
  { folderId, name, totalBytes, isText, modified, onExisting, now }: AnnouncedFile & { folderId: string; now: Date },
): Promise<{ uploadId: string; received: number } | undefined> {
  if (modified === undefined) return undefined;
  const same = { userId, folderId, name, totalBytes: BigInt(totalBytes), isText, modified: BigInt(modified) };
  const begun = await tx.fileUpload.findFirst({
    where: { ...same, draft: { refreshedAt: { not: null } } },
    orderBy: [{ received: "desc" }, { id: "asc" }],
    select: { id: true, received: true },
  });
  if (!begun) return undefined;
  await refreshDrafts(tx, [begun.id], now);
  await tx.fileUpload.update({ where: { id: begun.id }, data: { onExisting } });
  return { uploadId: begun.id, received: Number(begun.received) };
}

/** Enough bytes to distinguish text from a data: URL. */
const LEAST_BEGIN_BYTES = 5;

/**
 * Stores the bytes of a file from `offset` on: at most `PART_BYTES`. Throws 404 `upload_not_found`, 409 `wrong_offset`
 * if these are not the next ones, 413 `body_too_large`, 400 `too_many_bytes`, 400 `not_text`; then none of them is
 * stored.
 */
export async function addPart(
  user: FileOwner,
  uploadId: string,
  { offset, bytes }: { offset: number; bytes: Uint8Array },
): Promise<{ received: number }> {
  const upload = await findUpload(user, uploadId);
  const { totalBytes } = upload;
  if (bytes.length > PART_BYTES) throw partTooLarge();
  if (offset !== upload.received) throw wrongOffset(upload.received);
  const received = offset + bytes.length;
  if (received > totalBytes)
    throw new ApiError(400, "too_many_bytes", `The file was declared as ${totalBytes} bytes; this would be more.`);
  if (offset === 0 && received < Math.min(LEAST_BEGIN_BYTES, totalBytes))
    throw invalidParameter(`The first part must have at least ${LEAST_BEGIN_BYTES} bytes.`);
  const content = Buffer.concat([Buffer.from(upload.carry, "hex"), bytes]);
  const part = upload.isText ? encodeText(content, offset === 0) : encodeBytes(content);
  if (!part) throw notText();

  await storePart(user, upload, { part, received });
  return { received };
}

/** What becomes of a file that has the name of an upload when that is finished. Throws as `uploadState` does. */
export async function howItEnds(user: FileOwner, uploadId: string): Promise<OnExisting> {
  const upload = await uploadOrFile(user, uploadId);
  return "file" in upload ? "refuse" : upload.onExisting;
}

/**
 * The progress of an upload, to resume a broken one; of a finished one too, unless it replaced a file. Throws 404
 * `upload_not_found`.
 */
export async function uploadState(user: FileOwner, uploadId: string): Promise<{ received: number }> {
  const upload = await uploadOrFile(user, uploadId);
  return { received: "file" in upload ? upload.file.size : upload.received };
}

/**
 * Turns a complete upload into a file, which gets its id unless it replaces another. A repeated request stores nothing
 * twice: it returns the file again. Throws 404 `upload_not_found`, 409 `incomplete`, 400 `not_text`, and as `putFile`
 * does; the upload then stays.
 */
export async function finishUpload(user: FileOwner, uploadId: string, now: Date = new Date()): Promise<EntrySummary> {
  const upload = await uploadOrFile(user, uploadId);
  if ("file" in upload) return upload.file;
  const { received, totalBytes, isText, name, carry, modified } = upload;
  if (received < totalBytes)
    throw new ApiError(409, "incomplete", `Only ${received} of ${totalBytes} bytes have arrived.`);
  if (isText && carry !== "") throw notText();
  const edited = editedAt(modified === null ? undefined : Number(modified), now);
  const begin = isText ? "" : dataUrlBegin(name);
  const end = isText ? "" : Buffer.from(carry, "hex").toString("base64");
  return changeDocument(user, now, async (change) => {
    const stored = await storedBefore(change, uploadId);
    if (stored) return stored;
    const folder = await folderAt(change, upload.folderId);
    const head = await newFile(change, folder, { name, onExisting: upload.onExisting, id: uploadId });
    const size = Number(upload.length) + begin.length + end.length;
    // The data is between them, in the received pieces.
    const values = entryValues(head, user, { data: "", created: now, edited }).with(SIZE, size);
    const [type, called, location, , ...others] = values;
    const before = entryText([type, called, location]);
    const after = entryText(others);
    const pieces = await outlineOfDraft(uploadId);
    const facts = { ...head, size: totalBytes, edited: String(edited), isBase64: !isText };
    change.add({
      draftId: uploadId,
      head: Buffer.from(`${before},"${begin}`),
      pieces,
      tail: Buffer.from(`${end}"${after}`),
      facts,
    });
    return summaryOfNew(head, { size: totalBytes, isText, edited });
  });
}

/** Cancels an upload. Throws 404 `upload_not_found`. */
export async function cancelUpload(user: FileOwner, uploadId: string): Promise<void> {
  await findUpload(user, uploadId);
  await discardDraft(uploadId);
}

/** A running upload, or the file that it has become. Throws 404 `upload_not_found`. */
async function uploadOrFile(user: FileOwner, id: string): Promise<OpenUpload | { file: EntrySummary }> {
  try {
    return await findUpload(user, id);
  } catch (error) {
    const document = await indexedDocument(user.id);
    const [file] = document ? await entriesById(document, [id]) : [];
    if (file) return { file: summaryOf(file) };
    throw error;
  }
}

const notText = () => new ApiError(400, "not_text", "This file is not text. Send it as data.");

/** An upload of which something has arrived can be resumed for this long after its last part. */
export const RESUMABLE_MS = DAY_MS;
/** An upload without a part for this long is not being sent by any window. */
const QUIET_MS = 2 * 60 * 1000;

/** An interrupted upload, which continues when the same file is selected again. */
export interface UnfinishedUpload {
  id: string;
  folderId: string;
  /** The folder's name; null if it was deleted. */
  folder: string | null;
  name: string;
  totalBytes: number;
  received: number;
  /** When the file was last changed, in Unix ms. */
  modified: number;
  /** Until when it can be resumed, in Unix ms. */
  until: number;
}

/** The user's interrupted uploads, the latest first: at most as many as may be in progress. */
export async function unfinishedUploads({ id }: FileOwner, now: Date = new Date()): Promise<UnfinishedUpload[]> {
  const quietBefore = new Date(now.getTime() - QUIET_MS);
  const uploads = await db.fileUpload.findMany({
    where: { userId: id, received: { gt: 0 }, modified: { not: null }, draft: { refreshedAt: { lt: quietBefore } } },
    orderBy: { draft: { refreshedAt: "desc" } },
    include: { draft: { select: { refreshedAt: true } } },
  });
  const document = uploads.length > 0 ? await indexedDocument(id) : undefined;
  const folderIds = uploads.map(({ folderId }) => folderId);
  const folders = document ? await entriesById(document, folderIds) : [];
  const nameOf = (folderId: string) => {
    const folder = folders.find(({ entryId }) => entryId === folderId);
    return document && folder ? shownName(document, folder) : null;
  };
  return uploads.map(({ id: uploadId, folderId, name, totalBytes, received, modified, draft }) => ({
    id: uploadId,
    folderId,
    folder: folderId === "" ? ROOT_NAME : nameOf(folderId),
    name,
    totalBytes: Number(totalBytes),
    received: Number(received),
    modified: Number(modified),
    until: (draft.refreshedAt ?? now).getTime() + RESUMABLE_MS,
  }));
}
