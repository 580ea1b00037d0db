import type { ListChange } from "./child-list";
import type { PieceFacts } from "./draft";
import { EntryScanner, type ScannedEntry } from "./entry-scanner";
import { textsOfPieces } from "./piece-texts";
import { damaged, type OpenVersion } from "./stored-pieces";

type Lists = ReadonlyMap<string, ListChange>;
const NONE: Lists = new Map();

/** The entries of a text that holds whole ones, and how the lists of the folders with these paths are to change. */
export function scanEntries(text: Buffer, lists: Lists = NONE): ScannedEntry[] {
  const found: ScannedEntry[] = [];
  if (text.length > 0) scanner(found, lists).push(text);
  return found;
}

/** The entry that has all of these pieces. */
export async function scanLarge(version: OpenVersion, block: readonly PieceFacts[], lists: Lists = NONE): Promise<ScannedEntry> {
  const found: ScannedEntry[] = [];
  const large = scanner(found, lists);
  for await (const text of textsOfPieces(version, block)) large.push(text);
  const [entry] = found;
  if (!entry) throw damaged();
  return entry;
}

/** The text of one piece. */
export async function textOfPiece(version: OpenVersion, piece: PieceFacts): Promise<Buffer> {
  for await (const text of textsOfPieces(version, [piece])) return text;
  throw damaged();
}

function scanner(found: ScannedEntry[], lists: Lists): EntryScanner {
  return new EntryScanner({ listChange: ({ name, location }) => lists.get(`${location}/${name}`), entry: (entry) => found.push(entry) });
}
