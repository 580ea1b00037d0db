import { pace } from "@/lib/turn-of-others";
import { type EntryHead, LOCATION } from "../document/entry";
import { EntryScanner } from "../document/entry-scanner";
import type { StoredIndexEntry } from "../index/rows";
import type { ChangeBase } from "./base";
import { textOfPiece } from "./scan-pieces";

/** More bytes than most heads have. */
const READ_AT_ONCE = 2_048;

/** The full name and location of an entry. Throws 409 `changed_meanwhile`. */
export async function headOf(change: ChangeBase, row: StoredIndexEntry): Promise<EntryHead> {
  return headIn(await textOfPiece(change.base, await change.piece(row.pieceId)), row);
}

/** The same for many, by id; each piece is read once. */
export async function headsOf(
  change: ChangeBase,
  rows: readonly StoredIndexEntry[],
): Promise<ReadonlyMap<string, EntryHead>> {
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
  // Reads no more than needed: a thousand other entries may follow.
  for (let from = start; from < text.length && heads.length === 0 && scanner.place <= LOCATION; from += READ_AT_ONCE)
    scanner.push(text.subarray(from, from + READ_AT_ONCE));
  const { type, name, location } = heads[0] ?? scanner.parts;
  return { id: entryId, type, name, location };
}
