import { setImmediate as turnOfOthers } from "node:timers/promises";
import type { DocumentChange } from "./document-change";
import { entriesIn, type StoredIndexEntry } from "./index-rows";

const SEEN_AT_ONCE = 2_000;

/** The pieces in which an entry or one below it begins. */
export async function piecesBelow(change: DocumentChange, entry: StoredIndexEntry): Promise<Set<string>> {
  const pieces = new Set([entry.pieceId]);
  const folders = new Set(entry.pathKey === null ? [] : [entry.pathKey]);
  for (const folder of folders)
    for (let last: StoredIndexEntry | undefined; ; ) {
      const rows = await entriesIn(change.document.userId, folder, last, SEEN_AT_ONCE);
      for (const { pieceId, pathKey } of rows) {
        pieces.add(pieceId);
        if (pathKey !== null) folders.add(pathKey);
      }
      last = rows.at(-1);
      if (rows.length < SEEN_AT_ONCE) break;
      await turnOfOthers();
    }
  return pieces;
}

/** Whether a location is the folder with this path, or below it. */
export function isWithin(location: string, path: string): boolean {
  return location === path || location.startsWith(`${path}/`);
}
