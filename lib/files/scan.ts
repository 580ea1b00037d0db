import { pace } from "@/lib/turn-of-others";
import type { PieceFacts } from "./draft";
import { type ListChanges, listChangeOf } from "./entry-edit";
import { EntryScanner, type ScannedEntry } from "./entry-scanner";
import { textsOfPieces } from "./piece-texts";
import { damaged, type OpenVersion } from "./stored-pieces";

const NONE: ListChanges = new Map();

/** The entries of a text that holds whole ones, and how the lists of the folders with these paths are to change. */
export function scanEntries(text: Buffer, lists: ListChanges = NONE): ScannedEntry[] {
  const found: ScannedEntry[] = [];
  if (text.length > 0) scanner(found, lists).push(text);
  return found;
}

/** The entry that has all of these pieces. */
export async function scanLarge(version: OpenVersion, block: readonly PieceFacts[], lists: ListChanges = NONE): Promise<ScannedEntry> {
  const found: ScannedEntry[] = [];
  const large = scanner(found, lists);
  const turn = pace();
  for await (const text of textsOfPieces(version, block)) {
    large.push(text);
    await turn();
  }
  const [entry] = found;
  if (!entry) throw damaged();
  return entry;
}

/** The text of one piece. */
export async function textOfPiece(version: OpenVersion, piece: PieceFacts): Promise<Buffer> {
  for await (const text of textsOfPieces(version, [piece])) return text;
  throw damaged();
}

function scanner(found: ScannedEntry[], lists: ListChanges): EntryScanner {
  return new EntryScanner({ listChange: (folder) => listChangeOf(lists, folder), entry: (entry) => found.push(entry) });
}
