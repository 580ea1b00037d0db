import { pace } from "@/lib/turn-of-others";
import type { DocumentChange } from "./document-change";
import type { EntryHead } from "./entry-edit";
import { LOCATION } from "./entry-meter";
import { EntryScanner } from "./entry-scanner";
import type { StoredIndexEntry } from "./index-rows";
import { textOfPiece } from "./scan";

/** More than most heads have. */
const READ_AT_ONCE = 2_048;

/** The whole name and location of an entry. Throws 409 `changed_meanwhile`. */
export async function headOf(change: DocumentChange, row: StoredIndexEntry): Promise<EntryHead> {
  return headIn(await textOfPiece(change.base, await change.piece(row.pieceId)), row);
}

/** The same of many, by their ids, each piece read once. */
export async function headsOf(change: DocumentChange, rows: readonly StoredIndexEntry[]): Promise<ReadonlyMap<string, EntryHead>> {
  const byPiece = new Map<string, StoredIndexEntry[]>();
  for (const row of rows) {
    const others = byPiece.get(row.pieceId) ?? [];
    others.push(row);
    byPiece.set(row.pieceId, others);
  }
  const heads = new Map<string, EntryHead>();
  const turn = pace();
  for (const [pieceId, inIt] of byPiece) {
    const text = await textOfPiece(change.base, await change.piece(pieceId));
    for (const row of inIt) {
      heads.set(row.entryId, headIn(text, row));
      await turn();
    }
  }
  return heads;
}

function headIn(text: Buffer, { start, entryId }: StoredIndexEntry): EntryHead {
  const scanner = new EntryScanner({ entry: (entry) => heads.push({ ...entry }) });
  const heads: EntryHead[] = [];
  // No more of it is read than is asked for: behind it there may be a thousand others.
  for (let from = start; from < text.length && heads.length === 0 && scanner.place <= LOCATION; from += READ_AT_ONCE)
    scanner.push(text.subarray(from, from + READ_AT_ONCE));
  const { type, name, location } = heads[0] ?? scanner.parts;
  return { id: entryId, type, name, location };
}
