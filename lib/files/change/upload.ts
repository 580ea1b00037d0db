import { db, type Statements, transaction } from "@/lib/platform/db/client";
import { requireFreeSpace } from "@/lib/platform/db/free-space";
import { ApiError } from "@/lib/platform/errors";
import { newId } from "@/lib/platform/ids";
import { findQuotas } from "@/lib/platform/limits/quotas";
import type { EncodedPart } from "../document/content";
import type { FileOwner } from "../document/entry";
import { filesLimit, overQuota } from "../errors";
import { MAX } from "../pieces/gzip";
import { cutLarge, POSITIONS_APART } from "../pieces/piece";
import type { OnExisting } from "../schema";
import { beginDraft, DraftWriter, discardDraft, refreshDrafts } from "./draft";

/** Unfinished uploads per user; one without progress ends after a day. */
const MAX_UPLOADS = 100;

/** Running uploads count too, so that nobody can send more than fits. The user must be locked. */
export async function checkUploadQuota(
  tx: Statements,
  userId: string,
  { stored, bytes }: { stored: { entries: number; bytes: number }; bytes: number },
): Promise<void> {
  const uploads = await tx.fileUpload.findMany({
    where: { userId, draft: { refreshedAt: { not: null } } },
    select: { totalBytes: true, isText: true },
  });
  if (uploads.length >= MAX_UPLOADS)
    throw new ApiError(429, "too_many_uploads", "Too many uploads are in progress. Finish or cancel some of them.", {
      headers: {
        "Retry-After": "60",
      },
    });
  const coming = uploads.reduce((sum, { totalBytes, isText }) => sum + storedBytes(Number(totalBytes), isText), bytes);
  const quotas = await findQuotas(userId, tx);
  if (stored.bytes + coming > quotas.fileBytes)
    throw overQuota(quotas.fileBytes, "byte", " in all, and this would need more");
  if (stored.entries + uploads.length + 1 > quotas.entries)
    throw overQuota(quotas.entries, "entry", " in all, and this would be more");
}

/** The stored size of this many bytes. */
export function storedBytes(bytes: number, isText: boolean): number {
  return isText ? bytes : Math.ceil(bytes / 3) * 4;
}

/**
 * The received part of an upload may use this multiple of the quota, because text grows when stored, and this many
 * pieces beyond that.
 */
const MAX_GROWN = 2;
const PIECES_FREE = 32;

export type OpenUpload = Awaited<ReturnType<typeof findUpload>>;

/** A running upload. Its received part is the draft with the same id. */
export async function findUpload(user: FileOwner, id: string) {
  const upload =
    /^[0-9a-f]{32}$/.test(id) &&
    (await db.fileUpload.findFirst({
      where: { id, userId: user.id, draft: { refreshedAt: { not: null } } },
    }));
  if (!upload) throw new ApiError(404, "upload_not_found", "This upload was cancelled. Start again.");
  const onExisting: OnExisting =
    upload.onExisting === "replace" || upload.onExisting === "keep" ? upload.onExisting : "refuse";
  return { ...upload, onExisting, received: Number(upload.received), totalBytes: Number(upload.totalBytes) };
}

/**
 * Stores an encoded part and the upload's progress. Throws 409 `wrong_offset` if another part was faster, 403
 * `files_limit`, 507 `storage_full`; then nothing of it is stored.
 */
export async function storePart(
  user: FileOwner,
  upload: OpenUpload,
  { part, received }: { part: EncodedPart; received: number },
): Promise<void> {
  await requireFreeSpace();
  const end = await endOf(upload.id);
  const pieces = Number(end / POSITIONS_APART) + Math.ceil(part.text.length / MAX);
  const { fileBytes } = await findQuotas(user.id);
  if ((pieces - PIECES_FREE) * MAX > MAX_GROWN * fileBytes) throw grownTooLarge();
  const draftId = await beginDraft(user.id);
  try {
    await writeText({ id: draftId, userId: user.id }, part.text, end);
    const length = upload.length + BigInt(part.length);
    await transaction(async (tx) => {
      const { count } = await tx.fileUpload.updateMany({
        where: { id: upload.id, received: BigInt(upload.received) },
        data: { received: BigInt(received), carry: part.carry.toString("hex"), length },
      });
      if (count === 0) throw wrongOffset(upload.received);
      await refreshDrafts(tx, [upload.id, draftId], new Date());
      await tx.filePiece.updateMany({ where: { draftId }, data: { draftId: upload.id } });
      await tx.fileDraft.delete({ where: { id: draftId } });
    });
  } catch (error) {
    await discardDraft(draftId);
    throw error instanceof ApiError && error.code === "wrong_offset"
      ? wrongOffset((await findUpload(user, upload.id)).received)
      : error;
  }
}

async function writeText(draft: { id: string; userId: string }, text: Buffer, after: bigint): Promise<void> {
  const writer = new DraftWriter(draft);
  try {
    for (const [n, part] of cutLarge(text).entries())
      await writer.add({ id: newId(), text: part, entries: 0, position: after + POSITIONS_APART * BigInt(n + 1) });
    await writer.flush();
  } finally {
    writer.close();
  }
}

async function endOf(draftId: string): Promise<bigint> {
  const last = await db.filePiece.findFirst({
    where: { draftId },
    orderBy: { position: "desc" },
    select: { position: true },
  });
  return last?.position ?? 0n;
}

export const wrongOffset = (received: number) =>
  new ApiError(409, "wrong_offset", `The next byte of this file is number ${received}.`);
const grownTooLarge = () =>
  filesLimit(
    "This file takes up more room than there is, or its parts are too small. " +
      "Cancel it, and send it as data in larger parts.",
  );
