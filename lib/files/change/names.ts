import type { ApiError } from "@/lib/platform/errors";
import { turnOfOthers } from "@/lib/platform/event-loop";
import { foldCase } from "@/lib/platform/fold-case";
import { newId } from "@/lib/platform/ids";
import { checkLocation, type EntryHead, FOLDER, folderName, numberedName, splitName } from "../document/entry";
import { nameTaken } from "../errors";
import { displayName, summaryOf } from "../index/entry";
import { entriesById, entriesNamed, foldersByPath } from "../index/find";
import type { StoredIndexEntry } from "../index/queries";
import type { EntrySummary, OnExisting } from "../schema";
import type { PlannedChange } from "./change";
import type { ChangeBase, FolderAt } from "./publish";

/** Names looked up per statement. */
const NAMES_AT_ONCE = 100;

/**
 * The name as it is, and in both normal forms: to macOS they are one name, and nobody sees a difference. What
 * already exists beside its twin stays.
 */
export const formsOf = (name: string): string[] => [...new Set([name, name.normalize("NFC"), name.normalize("NFD")])];

/** Folders on one path whose names are written in another normal form than the others. Nobody has more. */
const MAX_MIXED = 3;

/** A path in each mixture of the normal forms of its parts, as it is first. */
export function formsOfPath(path: string): string[] {
  let forms = [""];
  let mixed = 0;
  for (const part of path.split("/")) {
    const ofPart = formsOf(part);
    const chosen = ofPart.length > 1 && ++mixed > MAX_MIXED ? [part] : ofPart;
    forms = forms.flatMap((before) => chosen.map((form) => `${before}/${form}`));
  }
  return [...new Set([...formsOf(path), ...forms.map((form) => form.slice(1))])];
}

/** The full name of an entry, and what decides which names are the same. */
interface FullName {
  name: string;
  isFolder: boolean;
}

/** The entry with this name, in any normal form, in the folder now. For folders, case is ignored. */
export async function named(
  change: ChangeBase,
  { path, pathKey }: FolderAt,
  { name, isFolder }: FullName,
): Promise<StoredIndexEntry | undefined> {
  const { userId, indexKeys } = change.document;
  const forms = formsOf(name);
  const pathKeys = forms.map((form) => indexKeys.ofPath(`${path}/${form}`));
  const folders = isFolder ? await foldersByPath(userId, pathKeys) : [];
  const entries = await entriesNamed(userId, pathKey, forms);
  const first = <Value>(values: readonly Value[], rank: (value: Value) => number) =>
    values.toSorted((one, other) => rank(one) - rank(other))[0];
  return (
    first(folders, ({ pathKey }) => pathKeys.indexOf(pathKey ?? "")) ??
    first(entries, (entry) => forms.indexOf(displayName(entry)))
  );
}

/** Names assigned in one change and not yet stored. */
export class AssignedNames {
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
 * however many are used.
 */
export async function freeName(
  change: ChangeBase,
  folder: FolderAt,
  { name, isFolder, others = new AssignedNames() }: FullName & { others?: AssignedNames },
): Promise<string> {
  const isUsed = async (n: number) => {
    const candidate = n === 1 ? name : numberedName(name, n, isFolder);
    return (
      others.has(candidate, isFolder) || (await named(change, folder, { name: candidate, isFolder })) !== undefined
    );
  };
  if (!(await isUsed(1))) return name;
  // Numbers are assigned in order, so the first free one is found between a used and a free one.
  let used = 1;
  let free = 2;
  while (await isUsed(free)) [used, free] = [free, free * 2];
  while (free - used > 1) {
    const middle = (used + free) >> 1;
    if (await isUsed(middle)) used = middle;
    else free = middle;
  }
  return numberedName(name, free, isFolder);
}

interface NameConflict {
  name: string;
  /** What has the name; undefined: something to which the same change has assigned it. */
  existing: StoredIndexEntry | undefined;
  /** How many other names are used too. */
  others?: number;
}

/** The refusal of a name in a folder. */
export const nameTakenIn = ({ path }: FolderAt, { name, existing, others }: NameConflict): ApiError =>
  nameTaken(folderName(path), { name, existing: existing && summaryOf(existing) }, others);

/** Throws 409 `name_taken` if the folder has an entry with this name, other than `own`. */
export async function requireFreeName(
  change: ChangeBase,
  folder: FolderAt,
  { name, isFolder, own }: FullName & { own?: string },
): Promise<void> {
  const existing = await named(change, folder, { name, isFolder });
  if (existing && existing.entryId !== own) throw nameTakenIn(folder, { name, existing });
}

/** The name of an entry with its extension. */
export const fullName = ({ name, type }: EntryHead) => displayName({ label: name, type });

/** As `named`. */
export type NamesThere = (name: string, isFolder: boolean) => StoredIndexEntry | undefined;

/** Looks up the names of many entries in their target folder. */
export async function namesThere(
  change: ChangeBase,
  { path, pathKey }: FolderAt,
  heads: readonly EntryHead[],
): Promise<NamesThere> {
  const { userId, indexKeys } = change.document;
  const pathKeyOf = (name: string) => indexKeys.ofPath(`${path}/${name}`);
  const there = new Map<string, StoredIndexEntry>();
  const folders = new Map<string, StoredIndexEntry>();
  const named = heads.map((head) => ({ forms: formsOf(fullName(head)), isFolder: head.type === FOLDER }));
  for (const some of batches(named.flatMap(({ forms }) => forms))) {
    await turnOfOthers();
    for (const entry of await entriesNamed(userId, pathKey, some)) there.set(displayName(entry), entry);
  }
  const pathKeys = named.flatMap(({ forms, isFolder }) => (isFolder ? forms.map(pathKeyOf) : []));
  for (const some of batches(pathKeys)) {
    await turnOfOthers();
    for (const entry of await foldersByPath(userId, some)) folders.set(entry.pathKey ?? "", entry);
  }
  return (name, isFolder) => {
    const forms = formsOf(name);
    const folder = isFolder ? forms.map(pathKeyOf).find((pathKey) => folders.has(pathKey)) : undefined;
    return folders.get(folder ?? "") ?? there.get(forms.find((form) => there.has(form)) ?? "");
  };
}

function* batches(names: readonly string[]): Generator<string[]> {
  for (let from = 0; from < names.length; from += NAMES_AT_ONCE) yield names.slice(from, from + NAMES_AT_ONCE);
}

interface NewFileOptions {
  name: string;
  onExisting: OnExisting;
  id?: string;
  /** The names of other new files in the folder; its own is added. */
  assigned?: AssignedNames;
}

/**
 * The head of a new file in a folder. Adds it to the folder's list and removes the file that it replaces, whose id it
 * gets; otherwise its id is `id`. Throws 409 `name_taken`, and 400 `invalid_parameter` for folders nested too deeply.
 */
export async function newFile(
  change: PlannedChange,
  parent: FolderAt,
  { name: requestedName, onExisting, id: freshId = newId(), assigned = new AssignedNames() }: NewFileOptions,
): Promise<EntryHead> {
  const requested = { name: requestedName, isFolder: false };
  const existing = await named(change, parent, requested);
  const isAssigned = assigned.has(requestedName, false);
  const isUsed = existing !== undefined || isAssigned;
  // What the same change writes cannot be replaced in it.
  if (isUsed && (onExisting === "refuse" || (onExisting === "replace" && (isAssigned || existing?.type === FOLDER))))
    throw nameTakenIn(parent, { name: requestedName, existing });
  const replaced = onExisting === "replace" ? existing : undefined;
  const name = isUsed && !replaced ? await freeName(change, parent, { ...requested, others: assigned }) : requestedName;
  const id = replaced?.entryId ?? freshId;
  checkLocation(parent.path);
  change.list(parent.path, parent.pieceIds, { add: [id] });
  assigned.add(name, false);
  if (replaced) {
    const { edit } = change;
    change.touched.add(replaced.pieceId);
    change.edit = (entry) => (entry.id === id ? "remove" : edit(entry));
  }
  return { id, ...splitName(name), location: parent.path };
}

/** What a request stored under this id, if it is a repeated one. */
export async function storedBefore({ user, document }: PlannedChange, id: string): Promise<EntrySummary | undefined> {
  const [stored] = await entriesById(user.id, document.indexKeys, [id]);
  return stored && summaryOf(stored);
}

/** How lists will show a new file. */
export function summaryOfNew(
  { id, name, type }: EntryHead,
  { size, isText, edited }: Pick<EntrySummary, "size" | "isText" | "edited">,
): EntrySummary {
  return { id, name: `${name}${type}`, type, isFolder: false, isText, size, children: 0, edited };
}
