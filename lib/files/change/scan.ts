import { pace } from "@/lib/platform/event-loop";
import { EntryScanner, type ScannedEntry } from "../document/entry-scanner";
import { Damaged, type PieceFacts } from "../pieces/piece";
import { type OpenVersion, textOfPiece, textsOfPieces } from "../pieces/read";
import { type ListChanges, listChangeOf } from "./edits";

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

/** The entries of a text of complete entries, with the planned changes to the lists of the folders with these paths. */
export async function scanEntries(text: Buffer, lists: ListChanges = NONE): Promise<ScannedEntry[]> {
  const entries: ScannedEntry[] = [];
  const scanner = scannerInto(entries, lists);
  for await (const slice of inSlices(text)) scanner.push(slice);
  return entries;
}

/** The entry that consists of all these pieces. */
export async function scanLarge(
  version: OpenVersion,
  block: readonly PieceFacts[],
  lists: ListChanges = NONE,
): Promise<ScannedEntry> {
  const entries: ScannedEntry[] = [];
  const scanner = scannerInto(entries, lists);
  for await (const text of textsOfPieces(version, block)) for await (const slice of inSlices(text)) scanner.push(slice);
  const [entry] = entries;
  if (!entry) throw new Damaged();
  return entry;
}

/** The entries of a block: those of a piece of complete ones, or the one that consists of several pieces. */
export async function entriesOfBlock(version: OpenVersion, block: readonly PieceFacts[]): Promise<ScannedEntry[]> {
  const [piece] = block;
  if (!piece) return [];
  return block.length > 1 ? [await scanLarge(version, block)] : scanEntries(await textOfPiece(version, piece));
}

function scannerInto(entries: ScannedEntry[], lists: ListChanges): EntryScanner {
  return new EntryScanner({
    listChange: (folder) => listChangeOf(lists, folder),
    entry: (entry) => entries.push(entry),
  });
}
