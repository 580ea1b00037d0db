import { invalidParameter } from "@/lib/errors";
import { turnOfOthers } from "@/lib/turn-of-others";
import type { DocumentChange } from "./document-change";
import type { EntryHead } from "./entry-edit";
import { headOf, headsOf } from "./entry-heads";
import { isEntryId } from "./entry-id";
import { USERS } from "./entry-rules";
import { entryNotFound, nameTaken, tooManyEntries } from "./errors";
import { foldCase } from "./fold-case";
import { findEntry, findFolder } from "./folders";
import type { Place } from "./index-entry";
import { entriesById, entriesNamed, foldersByPath, type StoredIndexEntry } from "./index-rows";
import { MOST_LOCATION_BYTES, numberedName } from "./names";
import { pathOf } from "./places";

/** That one change can be asked for: some hundred milliseconds of work. The page shows fewer at a time. */
export const MOST_ENTRIES = 1_000;
/** How many folders are looked for in one statement. */
const FOLDERS_AT_ONCE = 100;

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

/** The folder that an entry lies in. Asked once for all entries of a folder that one change is about, however their locations are written. */
export async function parentOf(change: DocumentChange, { location }: Pick<EntryHead, "location">): Promise<FolderAt> {
  const folder = foldCase(location);
  const known = change.parents.get(folder) ?? folderWithPath(change, location);
  change.parents.set(folder, known);
  return { ...(await known), path: location };
}

async function folderWithPath(change: DocumentChange, path: string, known?: Place): Promise<FolderAt> {
  const { userId, keys } = change.document;
  const key = keys.ofPath(path);
  const folders = await foldersByPath(userId, [key]);
  return { path, key, place: known ?? folders[0], pieceIds: folders.map(({ pieceId }) => pieceId) };
}

/** The folder with this path, if there is one. */
export async function folderIfAny(change: DocumentChange, path: string): Promise<FolderAt | undefined> {
  const folder = await parentOf(change, { location: path });
  return folder.place && folder;
}

/** An entry with its whole name and location. Throws 404 `entry_not_found`. */
export async function located(change: DocumentChange, id: string): Promise<LocatedEntry> {
  const row = await findEntry(change.document, id || "-");
  return { row, head: await headOf(change, row) };
}

/** The same of many, each piece read once. Throws 400 `too_many_entries`, 404 `entry_not_found` where one is not there. */
export async function locatedAll(change: DocumentChange, ids: readonly string[]): Promise<LocatedEntry[]> {
  const wanted = [...new Set(ids)];
  if (wanted.length > MOST_ENTRIES) throw tooManyEntries(MOST_ENTRIES);
  if (!wanted.every(isEntryId)) throw entryNotFound();
  const { userId, keys } = change.document;
  const rows = new Map((await entriesById(userId, keys, wanted)).map((row) => [row.entryId, row]));
  const found = wanted.map((id) => rows.get(id));
  if (!found.every((row) => row !== undefined)) throw entryNotFound();
  return withHeads(change, found);
}

async function withHeads(change: DocumentChange, rows: readonly StoredIndexEntry[]): Promise<LocatedEntry[]> {
  const heads = await headsOf(change, rows);
  return rows.flatMap((row) => {
    const head = heads.get(row.entryId);
    return head ? [{ row, head }] : [];
  });
}

/** These entries, and the folders that are one with theirs because their paths differ in the case of letters at most. */
export async function allOneWith(change: DocumentChange, entries: readonly LocatedEntry[]): Promise<LocatedEntry[]> {
  const known = new Set(entries.map(({ row }) => row.entryId));
  const keys = [...new Set(entries.flatMap(({ row }) => row.pathKey ?? []))];
  const others: StoredIndexEntry[] = [];
  for (let from = 0; from < keys.length; from += FOLDERS_AT_ONCE) {
    if (from > 0) await turnOfOthers();
    const folders = await foldersByPath(change.document.userId, keys.slice(from, from + FOLDERS_AT_ONCE));
    others.push(...folders.filter(({ entryId }) => !known.has(entryId)));
  }
  return [...entries, ...(await withHeads(change, others))];
}

/** What has this name in the folder now. A folder's may be written in another case. */
export async function named(change: DocumentChange, { path, key }: FolderAt, name: string, isFolder: boolean): Promise<StoredIndexEntry | undefined> {
  const { userId, keys } = change.document;
  const [folder] = isFolder ? await foldersByPath(userId, [keys.ofPath(`${path}/${name}`)]) : [];
  return folder ?? (await entriesNamed(userId, key, [name]))[0];
}

/** Names that are given in one change, and not stored yet. */
export class GivenNames {
  private readonly names = new Set<string>();

  add(name: string, isFolder: boolean): void {
    this.names.add(name);
    // No name has a slash.
    if (isFolder) this.names.add(`${foldCase(name)}/`);
  }

  has(name: string, isFolder: boolean): boolean {
    return this.names.has(name) || (isFolder && this.names.has(`${foldCase(name)}/`));
  }
}

/** `name`, or one of "name (2)" and so on that nothing in the folder has and that is not among `others`. Asks for few names, however many are taken. */
export async function freeName(
  change: DocumentChange,
  folder: FolderAt,
  name: string,
  isFolder: boolean,
  others: GivenNames = new GivenNames(),
): Promise<string> {
  const isTaken = async (n: number) => {
    const candidate = n === 1 ? name : numberedName(name, n, isFolder);
    return others.has(candidate, isFolder) || (await named(change, folder, candidate, isFolder)) !== undefined;
  };
  if (!(await isTaken(1))) return name;
  // Numbers are given out one after another, so the first free one is found between one that is taken and one that is not.
  let taken = 1;
  let free = 2;
  while (await isTaken(free)) [taken, free] = [free, free * 2];
  while (free - taken > 1) {
    const middle = (taken + free) >> 1;
    if (await isTaken(middle)) taken = middle;
    else free = middle;
  }
  return numberedName(name, free, isFolder);
}

/** Throws 409 `name_taken` where something in the folder has this name. */
export async function refuseTaken(change: DocumentChange, folder: FolderAt, name: string, isFolder: boolean): Promise<void> {
  if (await named(change, folder, name, isFolder)) throw nameTaken(name);
}

/** Throws 400 `invalid_parameter` where a document would not take this as a location. */
export function checkLocation(path: string): void {
  if (Buffer.byteLength(JSON.stringify(path)) > MOST_LOCATION_BYTES)
    throw invalidParameter("The folders lie too deep within one another, or their names are too long.");
}
