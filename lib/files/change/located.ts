import { sql } from "@/lib/platform/db/client";
import { pace, turnOfOthers } from "@/lib/platform/event-loop";
import { foldCase } from "@/lib/platform/fold-case";
import { type EntryHead, FOLDER, isWithin, LOCATION, pathOf, USERS } from "../document/entry";
import { EntryScanner } from "../document/entry-scanner";
import { entryNotFound, tooManyEntries } from "../errors";
import { displayedName, displayName } from "../index/entry";
import { entriesById, entriesNamed, findFolder, foldersByPath } from "../index/find";
import { batchesInOrder, RANKS, typeSortKey } from "../index/order";
import { nodesInFolders, type StoredIndexEntry } from "../index/queries";
import type { EntryPointer } from "../pieces/piece";
import { textOfPiece } from "../pieces/read";
import { isEntryId } from "../schema";
import { formsOf, formsOfPath } from "./names";
import type { ChangeBase, FolderAt } from "./publish";

/** The folder with this id, or the root. Throws 404 `entry_not_found`, 400 `not_a_folder`. */
export async function folderAt(change: ChangeBase, id: string | undefined): Promise<FolderAt> {
  const { document, user } = change;
  const home = `${USERS}/${user.username}`;
  if (document.version === 0 && !id)
    return { path: home, pathKey: document.indexKeys.ofPath(home), pointer: undefined, pieceIds: [] };
  const row = await findFolder(document, id);
  const [folder] = await withHeads(change, [row]);
  if (!folder) throw entryNotFound();
  return folderWithPath(change, pathOf(folder.head), row);
}

/**
 * The folder that contains an entry. Looked up once for all entries of a folder in one change, however their locations
 * are written.
 */
export async function parentOf(change: ChangeBase, { location }: Pick<EntryHead, "location">): Promise<FolderAt> {
  const folded = foldCase(location);
  const parent = change.parents.get(folded) ?? folderWithPath(change, location);
  change.parents.set(folded, parent);
  return { ...(await parent), path: location };
}

async function folderWithPath(change: ChangeBase, path: string, pointer?: EntryPointer): Promise<FolderAt> {
  const { userId, indexKeys } = change.document;
  const pathKey = indexKeys.ofPath(path);
  const folders = await foldersByPath(userId, [pathKey]);
  return { path, pathKey, pointer: pointer ?? folders[0], pieceIds: folders.map(({ pieceId }) => pieceId) };
}

/** More bytes than most heads have. */
const READ_AT_ONCE = 2_048;

/** These entries with their full names and locations; each piece is read once. Throws 409 `changed_meanwhile`. */
async function withHeads(change: ChangeBase, rows: readonly StoredIndexEntry[]): Promise<LocatedEntry[]> {
  const heads = new Map<StoredIndexEntry, EntryHead>();
  const turn = pace();
  let pieceId = "";
  let text: Buffer = Buffer.alloc(0);
  for (const row of rows.toSorted((a, b) => (a.pieceId < b.pieceId ? -1 : 1))) {
    if (row.pieceId !== pieceId) text = await textOfPiece(change.base, await change.piece(row.pieceId));
    pieceId = row.pieceId;
    heads.set(row, headIn(text, row));
    await turn();
  }
  return rows.flatMap((row) => {
    const head = heads.get(row);
    return head ? [{ row, head }] : [];
  });
}

function headIn(text: Buffer, { start, entryId }: StoredIndexEntry): EntryHead {
  const scanner = new EntryScanner({ entry: (entry) => heads.push({ ...entry }) });
  const heads: EntryHead[] = [];
  // Reads no more than needed: a thousand other entries may follow.
  for (let from = start; from < text.length && heads.length === 0 && scanner.position <= LOCATION; from += READ_AT_ONCE)
    scanner.push(text.subarray(from, from + READ_AT_ONCE));
  const { type, name, location } = heads[0] ?? scanner.parts;
  return { id: entryId, type, name, location };
}

/** More slashes than most names of imported files have. */
const MAX_SLASHES = 8;

/** The entry with this path, regardless of case and normal form; it may begin in the root. */
export async function entryAt(change: ChangeBase, path: string): Promise<StoredIndexEntry | undefined> {
  const { userId, indexKeys } = change.document;
  const bare = path.replace(/^\//, "").replace(/\/$/, "");
  const home = `${USERS}/${change.user.username}`;
  const full = isWithin(bare, USERS) ? bare : bare === "" ? home : `${home}/${bare}`;
  const folders = [full, ...(full.endsWith(FOLDER) ? [full.slice(0, -FOLDER.length)] : [])].flatMap(formsOfPath);
  const [folder] = await foldersByPath(
    userId,
    folders.map((form) => indexKeys.ofPath(form)),
  );
  if (folder) return folder;
  let slash = full.length;
  for (let n = 0; n < MAX_SLASHES; n++) {
    slash = full.lastIndexOf("/", slash - 1);
    if (slash <= 0) return undefined;
    const file = await fileNamed(change, { location: full.slice(0, slash), name: full.slice(slash + 1) });
    if (file) return file;
  }
  return undefined;
}

/** Equal for what differs in case and normal form only. */
const alike = (text: string) => foldCase(text.normalize("NFC"));

/** Files whose names differ at most in case are a few, unless they begin with the same 64 letters. */
const ALIKE_AT_ONCE = 100;
const MAX_ALIKE = 1_000;

/** The file with this name in a folder, or else one whose name differs in case or normal form only. */
async function fileNamed(
  change: ChangeBase,
  { location, name }: { location: string; name: string },
): Promise<StoredIndexEntry | undefined> {
  const parents = new Set(formsOfPath(location).map((form) => change.document.indexKeys.ofPath(form)));
  for (const parentKey of parents) {
    const file = await fileIn(change, parentKey, { location, name });
    if (file) return file;
  }
  return undefined;
}

async function fileIn(
  change: ChangeBase,
  parentKey: string,
  { location, name }: { location: string; name: string },
): Promise<StoredIndexEntry | undefined> {
  const { userId } = change.document;
  const shown = displayedName(name);
  const isFile = async (entry: StoredIndexEntry) => {
    if (entry.pathKey !== null) return false;
    if (shown === name) return true;
    // The index has long and strange names in part only.
    const { head } = await located(change, entry.entryId);
    return alike(pathOf(head)) === alike(`${location}/${name}`);
  };
  for (const entry of await entriesNamed(userId, parentKey, formsOf(shown))) if (await isFile(entry)) return entry;
  const folded = alike(shown);
  for (const form of new Set([folded, folded.replace(/σ(?!\p{L})/gu, "ς")])) {
    const begin = `${typeSortKey(form)}00`;
    const after = { rank: 1, value: 0, nameKey: begin, rowId: 0, entryId: "" };
    const range = { parentKey, sort: "name", descending: false, rank: 1, after, limit: ALIKE_AT_ONCE } as const;
    let seen = 0;
    for await (const rows of batchesInOrder(userId, range)) {
      for (const row of rows) if (row.isLive && alike(displayName(row)) === folded && (await isFile(row))) return row;
      seen += rows.length;
      if (!rows.at(-1)?.nameKey.startsWith(begin) || seen >= MAX_ALIKE) break;
    }
  }
  return undefined;
}

/** Entries per change: some hundred milliseconds of work. The page shows fewer at a time. */
export const MAX_ENTRIES = 1_000;
/** Folders looked up per statement. */
const FOLDERS_AT_ONCE = 100;

/** An entry with its full name and location. */
export type LocatedEntry = { row: StoredIndexEntry; head: EntryHead };

/** The entry with this id. Throws 404 `entry_not_found`. */
export async function located(change: ChangeBase, id: string): Promise<LocatedEntry> {
  const [entry] = await locatedAll(change, [id]);
  if (!entry) throw entryNotFound();
  return entry;
}

/**
 * The same for many; each piece is read once. Throws 400 `too_many_entries`, and 404 `entry_not_found` if one does not
 * exist.
 */
export async function locatedAll(change: ChangeBase, ids: readonly string[]): Promise<LocatedEntry[]> {
  const uniqueIds = [...new Set(ids)];
  if (uniqueIds.length > MAX_ENTRIES) throw tooManyEntries(MAX_ENTRIES);
  if (!uniqueIds.every(isEntryId)) throw entryNotFound();
  const rows = new Map((await entriesById(change.document, uniqueIds)).map((row) => [row.entryId, row]));
  const entries = uniqueIds.map((id) => rows.get(id));
  if (!entries.every((row) => row !== undefined)) throw entryNotFound();
  return withHeads(change, entries);
}

/** These entries, and the folders that count as the same because their paths differ only in case. */
export async function allOneWith(change: ChangeBase, entries: readonly LocatedEntry[]): Promise<LocatedEntry[]> {
  const selected = new Set(entries.map(({ row }) => row.entryId));
  const pathKeys = [...new Set(entries.flatMap(({ row }) => row.pathKey ?? []))];
  const folders = await foldersByPath(change.document.userId, pathKeys);
  const others = folders.filter(({ entryId }) => !selected.has(entryId));
  return [...entries, ...(await withHeads(change, others))];
}

/** Rows per result, and folders per statement. */
const SEEN_AT_ONCE = 500;
/** After this many statements, it is cheaper to read every piece of the document. */
const MAX_STATEMENTS = 2_000;

/** An index entry: the piece in which it begins and, for a folder, its path's hash. */
export interface Node {
  pieceId: string;
  pathKey: string | null;
}

/**
 * The pieces in which these entries or entries below them begin. May be all pieces if many folders, or more than `max`
 * entries, are below them; with `tooMany`, what it returns is thrown instead.
 */
export async function piecesBelow(
  change: ChangeBase,
  entries: readonly Node[],
  { max, tooMany }: { max: number; tooMany?: () => Error } = { max: Number.POSITIVE_INFINITY },
): Promise<ReadonlySet<string>> {
  const pieces = new Set<string>();
  const visited = new Set<string>();
  const waiting: string[] = [];
  let count = 0;
  const addNodes = (nodes: readonly Node[]) => {
    count += nodes.length;
    if (tooMany && count > max) throw tooMany();
    for (const { pieceId, pathKey } of nodes) {
      pieces.add(pieceId);
      if (pathKey === null || visited.has(pathKey)) continue;
      visited.add(pathKey);
      waiting.push(pathKey);
    }
  };
  addNodes(entries);
  let statements = 0;
  let together = FOLDERS_AT_ONCE;
  const isTooMuch = () => count > max || (statements > MAX_STATEMENTS && !tooMany);
  while (waiting.length > 0 && !isTooMuch()) {
    if (++statements > 1) await turnOfOthers();
    const folders = waiting.slice(-together);
    const children = await inside(change.document.userId, folders);
    if (children.length > SEEN_AT_ONCE && folders.length > 1) {
      together = Math.ceil(folders.length / 2);
      continue;
    }
    waiting.length -= folders.length;
    if (children.length > SEEN_AT_ONCE)
      for await (const nodes of insideLarge(change.document.userId, folders[0] ?? "")) {
        addNodes(nodes);
        if (isTooMuch()) break;
      }
    else addNodes(children);
    together = FOLDERS_AT_ONCE;
  }
  return isTooMuch() ? new Set((await change.outline()).map(({ id }) => id)) : pieces;
}

/** The entries in these folders, or enough of them to show that one statement does not return all. */
async function inside(userId: string, folders: readonly string[]): Promise<Node[]> {
  const rows = await sql.read(nodesInFolders(folders, SEEN_AT_ONCE + 1));
  return rows.length > SEEN_AT_ONCE ? rows : rows.filter(({ owner }) => owner === userId);
}

/** The entries of a large folder, in batches. */
async function* insideLarge(userId: string, parentKey: string): AsyncGenerator<Node[]> {
  const range = { parentKey, sort: "name", descending: false, limit: SEEN_AT_ONCE } as const;
  for (const rank of RANKS)
    for await (const rows of batchesInOrder(userId, { ...range, rank })) yield rows.filter(({ isLive }) => isLive);
}
