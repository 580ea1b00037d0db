import { pace } from "@/lib/turn-of-others";
import { EntryScanner, type ScannedEntry } from "../document/entry-scanner";
import { Damaged } from "../pieces/damaged";
import type { PieceFacts } from "../pieces/piece";
import type { OpenVersion } from "../pieces/take";
import { textsOfPieces } from "../pieces/texts";
import { type ListChanges, listChangeOf } from "./entry-edit";

const NONE: ListChanges = new Map();

/** Bytes read before others may get their turn: about a millisecond, of the smallest entries two. */
const SLICE_BYTES = 8 * 1024;

/** This text in slices, between which others get their turn. */
export async function* inSlices(text: Uint8Array): AsyncGenerator<Uint8Array> {
  const turn = pace();
  for (let from = 0; from < text.length; from += SLICE_BYTES) {
    await turn();
    yield text.subarray(from, from + SLICE_BYTES);
  }
}

/** The entries of a text of whole entries, with the planned changes to the lists of the folders with these paths. */
export async function scanEntries(text: Buffer, lists: ListChanges = NONE): Promise<ScannedEntry[]> {
  const found: ScannedEntry[] = [];
  const whole = scanner(found, lists);
  for await (const slice of inSlices(text)) whole.push(slice);
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
  for await (const text of textsOfPieces(version, block)) for await (const slice of inSlices(text)) large.push(slice);
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
