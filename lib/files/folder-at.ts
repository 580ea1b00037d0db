import { invalidParameter } from "@/lib/errors";
import type { DocumentChange } from "./document-change";
import type { EntryHead } from "./entry-edit";
import { LOCATION } from "./entry-meter";
import { USERS } from "./entry-rules";
import { EntryScanner } from "./entry-scanner";
import { nameTaken } from "./errors";
import { findEntry, findFolder } from "./folders";
import { displayName, type Place, pathOf } from "./index-entry";
import { entriesNamed, foldersByPath, type StoredIndexEntry } from "./index-rows";
import { MOST_LOCATION_BYTES, numberedName } from "./names";
import { textOfPiece } from "./scan";

/** How many numbered names are looked at together. */
const NAMES_AT_ONCE = 50;
/** More than most heads have. */
const READ_AT_ONCE = 2_048;

/** A folder that a change is about. */
export interface FolderAt {
  path: string;
  /** What its children have as parentKey. */
  key: string;
  place: Place | undefined;
  /** Of all folders with this path. */
  pieceIds: string[];
}

export type LocatedEntry = { row: StoredIndexEntry; head: EntryHead };

/** The folder with this id, or the root. Throws 404 `entry_not_found`, 400 `not_a_folder`. */
export async function folderAt(change: DocumentChange, id: string | undefined): Promise<FolderAt> {
  const { document, user } = change;
  const home = `${USERS}/${user.username}`;
  if (document.version === 0 && !id) return { path: home, key: document.keys.ofPath(home), place: undefined, pieceIds: [] };
  const row = await findFolder(document, id);
  return folderWithPath(change, pathOf(await headOf(change, row)), row);
}

/** The folder that an entry lies in. */
export function parentOf(change: DocumentChange, { location }: EntryHead): Promise<FolderAt> {
  return folderWithPath(change, location);
}

async function folderWithPath(change: DocumentChange, path: string, known?: Place): Promise<FolderAt> {
  const { userId, keys } = change.document;
  const key = keys.ofPath(path);
  const folders = await foldersByPath(userId, key);
  return { path, key, place: known ?? folders[0], pieceIds: folders.map(({ pieceId }) => pieceId) };
}

/** The folder with this path, if there is one. */
export async function folderIfAny(change: DocumentChange, path: string): Promise<FolderAt | undefined> {
  const folder = await folderWithPath(change, path);
  return folder.place && folder;
}

/** An entry with its whole name and location. Throws 404 `entry_not_found`. */
export async function located(change: DocumentChange, id: string): Promise<LocatedEntry> {
  const row = await findEntry(change.document, id || "-");
  return { row, head: await headOf(change, row) };
}

async function headOf(change: DocumentChange, { pieceId, start, entryId }: StoredIndexEntry): Promise<EntryHead> {
  const text = await textOfPiece(change.base, await change.piece(pieceId));
  const scanner = new EntryScanner({ entry: (entry) => heads.push({ ...entry }) });
  const heads: EntryHead[] = [];
  // No more of it is read than is asked for: behind it there may be a thousand others.
  for (let from = start; from < text.length && heads.length === 0 && scanner.place <= LOCATION; from += READ_AT_ONCE)
    scanner.push(text.subarray(from, from + READ_AT_ONCE));
  const { type, name, location } = heads[0] ?? scanner.parts;
  return { id: entryId, type, name, location };
}

/** What has this name in the folder now. */
export async function named(change: DocumentChange, { key }: FolderAt, name: string): Promise<StoredIndexEntry | undefined> {
  const [entry] = await entriesNamed(change.document.userId, key, [name]);
  return entry;
}

/** `name`, or the first of "name (2)" and so on that nothing in the folder has and that is not among `others`. */
export async function freeName(
  change: DocumentChange,
  folder: FolderAt,
  name: string,
  isFolder: boolean,
  others: ReadonlySet<string> = new Set(),
): Promise<string> {
  // Mostly it is free, and looking for one name reads a 64th of the folder.
  if (!others.has(name) && !(await named(change, folder, name))) return name;
  for (let first = 2; ; first += NAMES_AT_ONCE) {
    const names = Array.from({ length: NAMES_AT_ONCE }, (_, n) => numberedName(name, first + n, isFolder));
    const taken = new Set((await entriesNamed(change.document.userId, folder.key, names)).map((entry) => displayName(entry)));
    const free = names.find((candidate) => !taken.has(candidate) && !others.has(candidate));
    if (free !== undefined) return free;
  }
}

/** Throws 409 `name_taken` where something in the folder has this name. */
export async function refuseTaken(change: DocumentChange, folder: FolderAt, name: string): Promise<void> {
  if (await named(change, folder, name)) throw nameTaken(name);
}

/** Throws 400 `invalid_parameter` where a document would not take this as a location. */
export function checkLocation(path: string): void {
  if (Buffer.byteLength(JSON.stringify(path)) > MOST_LOCATION_BYTES)
    throw invalidParameter("The folders lie too deep within one another, or their names are too long.");
}
