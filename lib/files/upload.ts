import { ApiError, invalidParameter } from "@/lib/errors";
import { changeDocument } from "./change/change-document";
import { giveUp } from "./change/draft";
import { folderAt } from "./change/folder-at";
import { newFile, storedBefore, summaryOfNew } from "./change/new-file";
import { findUpload, type OpenUpload, storePart, wrongOffset } from "./change/open-upload";
import { encodeBytes, encodeText } from "./document/encode-part";
import { type FileOwner, SIZE } from "./document/entry";
import { dataUrlBegin } from "./document/file-data";
import { editedAt, entryText, fileValues } from "./document/new-entry";
import type { EntrySummary } from "./entry-summary";
import { partTooLarge } from "./errors";
import { summaryOf } from "./index/entry-row";
import { entriesById } from "./index/find-rows";
import { indexedDocument } from "./index/indexed-document";
import { PART_BYTES } from "./part-bytes";
import { outlineOfDraft } from "./pieces/outline";

/** Enough bytes to tell text from a data: URL. */
const LEAST_BEGIN_BYTES = 5;

/** The progress of an upload. */
export interface UploadState {
  received: number;
  totalBytes: number;
}

/**
 * Stores the bytes of a file from `offset` on: at most `PART_BYTES`. Throws 404 `upload_not_found`, 409 `wrong_offset`
 * if these are not the next ones (the header Upload-Offset says which are), 413 `body_too_large`, 400 `too_many_bytes`,
 * 400 `not_text`; then none of them is stored.
 */
export async function addPart(
  user: FileOwner,
  uploadId: string,
  offset: number,
  bytes: Uint8Array,
): Promise<{ received: number }> {
  const upload = await findUpload(user, uploadId);
  const { totalBytes } = upload;
  if (bytes.length > PART_BYTES) throw partTooLarge();
  if (offset !== upload.received) throw wrongOffset(upload.received);
  const received = offset + bytes.length;
  if (received > totalBytes)
    throw new ApiError(400, "too_many_bytes", `The file was declared as ${totalBytes} bytes; this would be more.`);
  if (offset === 0 && received < Math.min(LEAST_BEGIN_BYTES, totalBytes))
    throw invalidParameter(`The first part has at least ${LEAST_BEGIN_BYTES} bytes.`);
  const sent = Buffer.concat([Buffer.from(upload.carry, "hex"), bytes]);
  const part = upload.isText ? encodeText(sent, offset === 0) : encodeBytes(sent);
  if (!part) throw notText();

  await storePart(user, upload, part, received);
  return { received };
}

/**
 * The progress of an upload, to resume a broken one; of a finished one too, unless it replaced a file. Throws 404
 * `upload_not_found`.
 */
export async function uploadState(user: FileOwner, uploadId: string): Promise<UploadState> {
  const upload = await uploadOrFile(user, uploadId);
  if ("file" in upload) return { received: upload.file.size, totalBytes: upload.file.size };
  return { received: upload.received, totalBytes: upload.totalBytes };
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
    throw new ApiError(409, "incomplete", `Only ${received} of ${totalBytes} bytes have arrived.`, {
      "Upload-Offset": String(received),
    });
  if (isText && carry !== "") throw notText();
  const edited = editedAt(modified === null ? undefined : Number(modified), now);
  const begin = isText ? "" : dataUrlBegin(name);
  const end = isText ? "" : Buffer.from(carry, "hex").toString("base64");
  return changeDocument(user, now, async (change) => {
    const stored = await storedBefore(change, uploadId);
    if (stored) return stored;
    const folder = await folderAt(change, upload.folderId);
    const head = await newFile(change, folder, name, upload.onExisting, { id: uploadId });
    const size = Number(upload.length) + begin.length + end.length;
    // The data is between them, in the received pieces.
    const [type, called, location, , ...others] = fileValues(head, user, now, edited, "").with(SIZE, size);
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
    return summaryOfNew(head, totalBytes, isText, edited);
  });
}

/** Gives an upload up. Throws 404 `upload_not_found`. */
export async function cancelUpload(user: FileOwner, uploadId: string): Promise<void> {
  await findUpload(user, uploadId);
  await giveUp(uploadId);
}

/** A running upload, or the file that it has become. Throws 404 `upload_not_found`. */
async function uploadOrFile(user: FileOwner, id: string): Promise<OpenUpload | { file: EntrySummary }> {
  try {
    return await findUpload(user, id);
  } catch (error) {
    const document = await indexedDocument(user.id);
    const [file] = document ? await entriesById(user.id, document.keys, [id]) : [];
    if (file) return { file: summaryOf(file) };
    throw error;
  }
}

const notText = () => new ApiError(400, "not_text", "This file is not text. Send it as data.");
