import type { DocumentChange } from "./document-change";
import type { EntryHead } from "./entry-edit";
import { FOLDER } from "./entry-rules";
import type { FolderAt } from "./folder-at";
import { displayName } from "./index-entry";
import { entriesNamed, foldersByPath, type StoredIndexEntry } from "./index-rows";

/** How many names are looked for in one statement. */
const NAMES_AT_ONCE = 100;

/** The name of an entry with its extension. */
export const shownName = ({ name, type }: EntryHead) => displayName({ label: name, type });

/** What has a name in a folder now. A folder's may be written in another case. */
export type NamesThere = (name: string, isFolder: boolean) => StoredIndexEntry | undefined;

/** Looks for the names of many entries in the folder that they come into. */
export async function namesThere(change: DocumentChange, { path, key }: FolderAt, heads: readonly EntryHead[]): Promise<NamesThere> {
  const { userId, keys } = change.document;
  const keyOf = (name: string) => keys.ofPath(`${path}/${name}`);
  const there = new Map<string, StoredIndexEntry>();
  const folders = new Map<string, StoredIndexEntry>();
  for (const some of batches(heads.map(shownName))) for (const entry of await entriesNamed(userId, key, some)) there.set(displayName(entry), entry);
  for (const some of batches(heads.filter(({ type }) => type === FOLDER).map((head) => keyOf(shownName(head)))))
    for (const entry of await foldersByPath(userId, some)) folders.set(entry.pathKey ?? "", entry);
  return (name, isFolder) => (isFolder ? folders.get(keyOf(name)) : undefined) ?? there.get(name);
}

function* batches(names: readonly string[]): Generator<string[]> {
  for (let from = 0; from < names.length; from += NAMES_AT_ONCE) yield names.slice(from, from + NAMES_AT_ONCE);
}
