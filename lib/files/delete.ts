import { db } from "@/lib/platform/db/client";
import { changeOnFullDisk } from "./change/change";
import { allOneWith, locatedAll, parentOf, piecesBelow } from "./change/located";
import { type FileOwner, foldersAmong, isSameLocation, USERS } from "./document/entry";
import { rootFolder } from "./errors";
import { entriesById, indexedDocument } from "./index/find";
import { removePieces } from "./pieces/versions";

/** Whether one of these entries is a folder: with it goes everything in it. */
export async function hasFolder(user: FileOwner, entryIds: readonly string[]): Promise<boolean> {
  const document = await indexedDocument(user.id);
  const entries = document ? await entriesById(document, entryIds) : [];
  return entries.some(({ pathKey }) => pathKey !== null);
}

/** The input of `restoreEntries`: the version that still has the entries. */
export interface Deleted {
  version: number;
  ids: string[];
}

/**
 * Deletes files, and folders with everything below them. At most 1,000 at the same time. Throws 400 `too_many_entries`,
 * 404 `entry_not_found`, 400 `root_folder`; then nothing is deleted.
 */
export async function deleteEntries(
  user: FileOwner,
  entryIds: readonly string[],
  now: Date = new Date(),
): Promise<Deleted> {
  return changeOnFullDisk(user, now, async (change) => {
    const deleted = await allOneWith(change, await locatedAll(change, entryIds));
    if (deleted.some(({ head }) => isSameLocation(head.location, USERS)))
      throw rootFolder("Your own folder cannot be deleted.");
    const ids = new Set(deleted.map(({ head }) => head.id));
    const folders = foldersAmong(deleted.map(({ head }) => head));
    for (const { head } of deleted) {
      const parent = await parentOf(change, head);
      change.list(parent, { remove: [head.id] });
    }
    const pieces = await piecesBelow(
      change,
      deleted.map(({ row }) => row),
    );
    for (const piece of pieces) change.touched.add(piece);
    change.edit = ({ id, location }) => (ids.has(id) || folders.find(location) ? "remove" : undefined);
    return { version: change.document.version, ids: [...ids] };
  });
}

/**
 * Removes everything a user has stored, in batches, so that others need not wait. Nobody can read it any more; running
 * reads are cut off. For an account that nobody can use any more. Idempotent, also when run concurrently.
 */
export async function deleteAllFiles(userId: string): Promise<void> {
  await db.fileDocument.deleteMany({ where: { userId } });
  await removePieces({ userId });
  await db.fileDraft.deleteMany({ where: { userId } });
}
