import { pace } from "@/lib/turn-of-others";
import { EntryScanner, type ScannedEntry } from "../document/entry-scanner";
import { Damaged } from "../pieces/damaged";
import type { PieceFacts } from "../pieces/piece";
import type { OpenVersion } from "../pieces/take";
import { textsOfPieces } from "../pieces/texts";
import { type ListChanges, listChangeOf } from "./entry-edit";

const NONE: ListChanges = new Map();

/** The entries of a text of whole entries, with the planned changes to the lists of the folders with these paths. */
export function scanEntries(text: Buffer, lists: ListChanges = NONE): ScannedEntry[] {
  const found: ScannedEntry[] = [];
  if (text.length > 0) scanner(found, lists).push(text);
  return found;
}

/** The entry that consists of all these pieces. */
export async function scanLarge(
  version: OpenVersion,
  block: readonly PieceFacts[],
  lists: ListChanges = NONE,
): Promise<ScannedEntry> {
  const found: ScannedEntry[] = [];
  const large = scanner(found, lists);
  const turn = pace();
  for await (const text of textsOfPieces(version, block)) {
    large.push(text);
    await turn();
  }
  const [entry] = found;
  if (!entry) throw new Damaged();
  return entry;
}

/** The text of one piece. */
export async function textOfPiece(version: OpenVersion, piece: PieceFacts): Promise<Buffer> {
  for await (const text of textsOfPieces(version, [piece])) return text;
  throw new Damaged(piece.id);
}

function scanner(found: ScannedEntry[], lists: ListChanges): EntryScanner {
  return new EntryScanner({ listChange: (folder) => listChangeOf(lists, folder), entry: (entry) => found.push(entry) });
}
