import { db } from "@/lib/db/client";
import { type FileOwner, USERS } from "./document/entry";
import { ROOT_NAME } from "./document/paths";
import { displayName } from "./index/entry-row";
import { entriesById } from "./index/find-rows";
import { indexedDocument } from "./index/indexed-document";

/** An upload of which something has arrived can be resumed for this long after its last part. */
export const RESUMABLE_MS = 24 * 60 * 60 * 1000;
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
  if (uploads.length === 0) return [];
  const names = await folderNames(
    id,
    uploads.map(({ folderId }) => folderId),
  );
  return uploads.map(({ id: uploadId, folderId, name, totalBytes, received, modified, draft }) => ({
    id: uploadId,
    folderId,
    folder: folderId === "" ? ROOT_NAME : (names.get(folderId) ?? null),
    name,
    totalBytes: Number(totalBytes),
    received: Number(received),
    modified: Number(modified),
    until: (draft.refreshedAt ?? now).getTime() + RESUMABLE_MS,
  }));
}

async function folderNames(userId: string, ids: string[]): Promise<Map<string, string>> {
  const document = await indexedDocument(userId);
  if (!document) return new Map();
  const { keys } = document;
  const folders = await entriesById(userId, keys, ids);
  return new Map(
    folders.map((folder) => [
      folder.entryId,
      folder.parentKey === keys.ofPath(USERS) ? ROOT_NAME : displayName(folder),
    ]),
  );
}
