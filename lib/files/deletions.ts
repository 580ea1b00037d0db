import { db } from "@/lib/db/client";
import { LONGEST_DOWNLOAD_MS } from "@/lib/stated-bounds";
import { MOST_ENTRIES } from "./change/located";
import { removedAfter } from "./change/removed-entries";
import { shownName } from "./change/taken-names";
import { type FileOwner, FOLDER } from "./document/entry";
import { gone } from "./errors";
import { entriesById } from "./index/find-rows";
import { indexedDocument } from "./index/indexed-document";
import { inListingTurn } from "./index/listing-turns";
import { keptPieces } from "./pieces/outline";
import { restoreEntries } from "./restore";

/** Deletions in one list, the newest ones; and how many entries of each are named. */
export const MOST_DELETIONS = 50;
const MOST_NAMES = 3;
/** Pieces of replaced contents read for one of them: with more, its first entries are named. */
const MOST_PIECES = 16;

/** Something that was deleted and can be restored. */
export interface PastDeletion {
  /** The version that still has it: the input of `restoreDeletion`. */
  version: number;
  /** Unix ms. */
  at: number;
  /** The number of files and folders, with everything in the folders. */
  entries: number;
  /** The first of them, without those inside deleted folders. */
  names: { name: string; type: string; isFolder: boolean }[];
  /** How many more there are beside those that are named; null if not counted. */
  more: number | null;
}

/**
 * What the user deleted in the last six hours and has not restored, the newest first: at most 50 deletions. Throws as
 * `inListingTurn` does.
 */
export async function listDeletions(
  { id: userId }: FileOwner,
  now: Date = new Date(),
  signal?: AbortSignal,
): Promise<PastDeletion[]> {
  return inListingTurn(userId, signal, async () => {
    const document = await indexedDocument(userId);
    if (!document) return [];
    const seen = new Set<string>();
    const found: PastDeletion[] = [];
    const shrunk = await shrinkages(userId, now);
    if (shrunk.length === 0) return [];
    const kept = await keptPieces(userId);
    for (const { version, at, entries } of shrunk) {
      signal?.throwIfAborted();
      const removed = await whileKept(userId, version, () => removedAfter(userId, version, kept, MOST_PIECES));
      if (!removed || removed.heads.length > MOST_ENTRIES) continue;
      const ids = removed.heads.map(({ id }) => id);
      for (const { entryId } of await entriesById(userId, document.keys, ids)) seen.add(entryId);
      const missing = removed.heads.filter(({ id }) => !seen.has(id));
      for (const { id } of missing) seen.add(id);
      if (missing.length === 0) continue;
      const names = missing.slice(0, MOST_NAMES).map((head) => ({
        name: shownName(head),
        type: head.type,
        isFolder: head.type === FOLDER,
      }));
      const more = removed.isAll ? missing.length - names.length : null;
      found.push({ version, at, entries, names, more });
    }
    return found;
  });
}

/**
 * Restores all that a deletion of `listDeletions` removed, as `restoreEntries` does. Throws 410 `gone` if it is no
 * longer kept, and as `inListingTurn` does.
 */
export async function restoreDeletion(user: FileOwner, version: number, now: Date = new Date()): Promise<void> {
  const removed = await inListingTurn(user.id, undefined, () =>
    whileKept(user.id, version, async () => removedAfter(user.id, version, await keptPieces(user.id))),
  );
  if (!removed || removed.heads.length === 0) throw gone();
  await restoreEntries(user, { version, ids: removed.heads.map(({ id }) => id) }, now);
}

/** The result, or undefined if the version is not or no longer kept. */
async function whileKept<T>(userId: string, version: number, work: () => Promise<T>): Promise<T | undefined> {
  const isKept = async () => (await db.fileVersion.count({ where: { userId, version } })) > 0;
  if (!(await isKept())) return undefined;
  try {
    return await work();
  } catch (error) {
    if (await isKept()) throw error;
    return undefined;
  }
}

/** The versions after which the document had fewer entries. */
async function shrinkages(userId: string, now: Date) {
  const versions = await db.fileVersion.findMany({
    where: { userId },
    orderBy: { version: "desc" },
    select: { version: true, entries: true, publishedAt: true },
  });
  return versions
    .flatMap(({ version, entries }, index) => {
      const after = versions[index - 1];
      if (!after || after.version !== version + 1 || after.entries >= entries) return [];
      return [{ version, at: after.publishedAt.getTime(), entries: entries - after.entries }];
    })
    .filter(({ at }) => at + LONGEST_DOWNLOAD_MS > now.getTime())
    .slice(0, MOST_DELETIONS);
}
