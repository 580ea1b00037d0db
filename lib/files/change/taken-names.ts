import type { ApiError } from "@/lib/errors";
import { turnOfOthers } from "@/lib/turn-of-others";
import { type EntryHead, FOLDER } from "../document/entry";
import { foldCase } from "../document/fold-case";
import { numberedName } from "../document/names";
import { placeName } from "../document/paths";
import { nameTaken } from "../errors";
import { displayName, summaryOf } from "../index/entry-row";
import { entriesNamed, foldersByPath } from "../index/find-rows";
import type { StoredIndexEntry } from "../index/rows";
import type { ChangeBase, FolderAt } from "./base";

/** Names looked up per statement. */
const NAMES_AT_ONCE = 100;

/** The entry with this name in the folder now. For folders, case is ignored. */
export async function named(
  change: ChangeBase,
  { path, key }: FolderAt,
  name: string,
  isFolder: boolean,
): Promise<StoredIndexEntry | undefined> {
  const { userId, keys } = change.document;
  const [folder] = isFolder ? await foldersByPath(userId, [keys.ofPath(`${path}/${name}`)]) : [];
  return folder ?? (await entriesNamed(userId, key, [name]))[0];
}

/** Names assigned in one change and not yet stored. */
export class GivenNames {
  private readonly names = new Set<string>();

  add(name: string, isFolder: boolean): void {
    this.names.add(name);
    // Names never contain a slash.
    if (isFolder) this.names.add(`${foldCase(name)}/`);
  }

  has(name: string, isFolder: boolean): boolean {
    return this.names.has(name) || (isFolder && this.names.has(`${foldCase(name)}/`));
  }
}

/**
 * `name`, or the first of "name (2)" and so on that is neither in the folder nor among `others`. Needs few lookups,
 * however many are taken.
 */
export async function freeName(
  change: ChangeBase,
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
  // Numbers are assigned in order, so the first free one is found between a taken and a free one.
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

/** The refusal of a name in a folder, which this entry has; undefined: which the same change has given. */
export const takenIn = ({ path }: FolderAt, name: string, existing?: StoredIndexEntry, others?: number): ApiError =>
  nameTaken(placeName(path), { name, existing: existing && summaryOf(existing) }, others);

/** Throws 409 `name_taken` if the folder has an entry with this name. */
export async function refuseTaken(
  change: ChangeBase,
  folder: FolderAt,
  name: string,
  isFolder: boolean,
): Promise<void> {
  const existing = await named(change, folder, name, isFolder);
  if (existing) throw takenIn(folder, name, existing);
}

/** The name of an entry with its extension. */
export const shownName = ({ name, type }: EntryHead) => displayName({ label: name, type });

/** The entry with a name in a folder now. For folders, case is ignored. */
export type NamesThere = (name: string, isFolder: boolean) => StoredIndexEntry | undefined;

/** Looks up the names of many entries in their target folder. */
export async function namesThere(
  change: ChangeBase,
  { path, key }: FolderAt,
  heads: readonly EntryHead[],
): Promise<NamesThere> {
  const { userId, keys } = change.document;
  const keyOf = (name: string) => keys.ofPath(`${path}/${name}`);
  const there = new Map<string, StoredIndexEntry>();
  const folders = new Map<string, StoredIndexEntry>();
  for (const some of batches(heads.map(shownName))) {
    await turnOfOthers();
    for (const entry of await entriesNamed(userId, key, some)) there.set(displayName(entry), entry);
  }
  for (const some of batches(heads.filter(({ type }) => type === FOLDER).map((head) => keyOf(shownName(head))))) {
    await turnOfOthers();
    for (const entry of await foldersByPath(userId, some)) folders.set(entry.pathKey ?? "", entry);
  }
  return (name, isFolder) => (isFolder ? folders.get(keyOf(name)) : undefined) ?? there.get(name);
}

function* batches(names: readonly string[]): Generator<string[]> {
  for (let from = 0; from < names.length; from += NAMES_AT_ONCE) yield names.slice(from, from + NAMES_AT_ONCE);
}
