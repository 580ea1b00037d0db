import { pace, turnOfOthers } from "@/lib/platform/event-loop";
import { foldCase } from "@/lib/platform/fold-case";
import {
  EDITED,
  type EntryHead,
  FOLDER,
  foldersAmong,
  isSameLocation,
  LOCATION,
  NAME,
  pathOf,
  SIZE,
  TYPE,
  USERS,
} from "../document/entry";
import { EntryScanner, type ScannedEntry, type Span } from "../document/entry-scanner";
import type { ListChange, Splice } from "../document/splices";
import { Damaged } from "../pieces/gzip";
import { type Block, blocksOf, piecesOf, type RetiredPiece, type VersionedPiece } from "../pieces/piece";
import { type OpenVersion, textOfPiece, textsOfPieces } from "../pieces/read";

/** The edit of an entry: it is removed, or gets another name or location. */
type EntryEdit = "remove" | Partial<Omit<EntryHead, "id">>;

/** Changes to the lists of folders, by case-folded path; these folders count as edited now. */
type ListChanges = ReadonlyMap<string, ListChange>;
const NONE: ListChanges = new Map();

/** The change to an entry's list, if it is a folder. */
export function listChangeOf(lists: ListChanges, entry: Omit<EntryHead, "id">): ListChange | undefined {
  return lists.size > 0 && entry.type === FOLDER ? lists.get(foldCase(pathOf(entry))) : undefined;
}

/** The edit of a document's entries. */
export interface DocumentEdit {
  /** Undefined: the entry stays as it is. */
  edit(entry: EntryHead): EntryEdit | undefined;
  lists: ListChanges;
  now: Date;
}

/** The changes of the first three values of an entry. */
export function headSplices(values: readonly Span[], edit: Partial<EntryHead> | undefined): Splice[] {
  const changes: [number, string | undefined][] = [
    [TYPE, edit?.type],
    [NAME, edit?.name],
    [LOCATION, edit?.location],
  ];
  return changes.flatMap(([position, value]) => (value === undefined ? [] : splice(values, position, value)));
}

/** The changes to a folder's values after its list, with the list's own changes. */
export function listSplices(
  { values, listSplices: list, size: children }: Pick<ScannedEntry, "values" | "listSplices" | "size">,
  now: Date,
): Splice[] {
  return [...list, ...splice(values, EDITED, now.getTime()), ...splice(values, SIZE, children)];
}

function splice(values: readonly Span[], position: number, value: string | number): Splice[] {
  const span = values[position];
  return span ? [{ ...span, text: JSON.stringify(value) }] : [];
}

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
export function scanEntries(text: Buffer, lists: ListChanges = NONE): Promise<ScannedEntry[]> {
  return entriesIn([text], lists);
}

/** The entries of a block: those of a piece of complete ones, or the one that consists of several pieces. */
export async function entriesOfBlock(version: OpenVersion, block: Block): Promise<ScannedEntry[]> {
  return block.length > 1 ? [await scanLarge(version, block)] : entriesIn(textsOfPieces(version, block), NONE);
}

/** The entry that consists of all these pieces. */
export async function scanLarge(version: OpenVersion, block: Block, lists: ListChanges = NONE): Promise<ScannedEntry> {
  const [entry] = await entriesIn(textsOfPieces(version, block), lists);
  if (!entry) throw new Damaged();
  return entry;
}

async function entriesIn(texts: Iterable<Buffer> | AsyncIterable<Buffer>, lists: ListChanges): Promise<ScannedEntry[]> {
  const entries: ScannedEntry[] = [];
  const scanner = new EntryScanner({
    listChange: (folder) => listChangeOf(lists, folder),
    entry: (entry) => entries.push(entry),
  });
  for await (const text of texts) for await (const slice of inSlices(text)) scanner.push(slice);
  return entries;
}

/** The id at the end of an entry's text; ids contain neither quotes nor backslashes. */
const ID_AT_END = /"([^"\\]+)"$/;

/** What a version no longer has of the one before it. */
interface Removed {
  /** The entries that are not below another removed one, in the document's order. */
  heads: EntryHead[];
  /** Whether these are all of them. */
  isAll: boolean;
}

/**
 * The entries that the version after this one no longer has, from the pieces that it replaced; `pieces` are those of
 * all versions. With `maxBlocks`, only so many replaced ones are read, and twice as many new ones: entries that moved
 * further may be among the result. Undefined if all was replaced by another document.
 */
export async function removedAfter(
  { userId, version }: Pick<OpenVersion, "userId" | "version">,
  pieces: readonly VersionedPiece[],
  maxBlocks = Number.POSITIVE_INFINITY,
): Promise<Removed | undefined> {
  const retired = retiredBlocks(version, piecesOf(version, pieces));
  const read = retired.slice(0, maxBlocks);
  const end = retired[maxBlocks]?.[0].position;
  const born = blocksOf(piecesOf(version + 1, pieces))
    .filter(
      (block) =>
        block.some(({ bornVersion }) => bornVersion === version + 1) &&
        (end === undefined || block.every(({ position }) => position < end)),
    )
    .slice(0, 2 * maxBlocks);
  const removed = new Map((await headsIn(open(userId, version), read)).map((head) => [head.id, head]));
  for (const { id } of await headsIn(open(userId, version + 1), born)) removed.delete(id);
  const all = [...removed.values()];
  if (all.some(({ location }) => isSameLocation(location, USERS))) return undefined;
  const folders = foldersAmong(all);
  return { heads: all.filter(({ location }) => !folders.find(location)), isAll: read.length === retired.length };
}

/** Of a version's pieces, the blocks that the next version replaced. */
export function retiredBlocks(version: number, pieces: readonly RetiredPiece[]): Block[] {
  return blocksOf(pieces).filter((block) => block.some(({ retiredVersion }) => retiredVersion === version + 1));
}

const open = (userId: string, version: number): OpenVersion => ({ userId, version, openedAt: performance.now() });

/** The heads of the entries of these blocks, in their order. */
export async function headsIn(version: OpenVersion, blocks: readonly Block[]): Promise<EntryHead[]> {
  const heads: EntryHead[] = [];
  for (const block of blocks) {
    await turnOfOthers();
    for (const head of await headsOfBlock(version, block)) heads.push(head);
  }
  return heads;
}

/** Of a large entry, only its beginning and its end are read. */
async function headsOfBlock(version: OpenVersion, block: Block): Promise<EntryHead[]> {
  const heads: EntryHead[] = [];
  const scanner = new EntryScanner({
    entry: ({ id, type, name, location }) => heads.push({ id, type, name, location }),
  });
  for await (const slice of inSlices(await textOfPiece(version, block[0]))) scanner.push(slice);
  if (block.length === 1) return heads;
  const ends = await Promise.all(block.slice(-2).map((piece) => textOfPiece(version, piece)));
  const id = ID_AT_END.exec(Buffer.concat(ends).toString("latin1").trimEnd())?.[1];
  if (id === undefined || scanner.position <= LOCATION) return [await scanLarge(version, block)];
  const { type, name, location } = scanner.parts;
  return [{ id, type, name, location }];
}
