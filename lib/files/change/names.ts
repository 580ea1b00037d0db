import type { ApiError } from "@/lib/platform/errors";
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
  folder: FolderAt,
  { name, isFolder }: FullName,
): Promise<StoredIndexEntry | undefined> {
  return (await namesThere(change, folder, [{ name, isFolder }]))(name, isFolder);
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

interface NewName extends FullName {
  /** What the folder has of this name. */
  existing: StoredIndexEntry | undefined;
  onExisting: OnExisting;
  /** The names of others that the same change adds to the folder; this one is added. */
  assigned: AssignedNames;
  /** How many other names are used too. */
  others?: number;
}

/**
 * The name that an entry gets in a folder, and the file that it replaces there. Throws 409 `name_taken`: a file can
 * replace a file, but nothing that the same change adds.
 */
export async function nameFor(
  change: PlannedChange,
  folder: FolderAt,
  { name, isFolder, existing, onExisting, assigned, others = 0 }: NewName,
): Promise<{ name: string; replaced: StoredIndexEntry | undefined }> {
  const isAssigned = assigned.has(name, isFolder);
  const isTaken = existing !== undefined || isAssigned;
  if (isTaken && onExisting === "refuse") throw nameTakenIn(folder, { name, existing, others });
  const replaced = onExisting === "replace" ? existing : undefined;
  if (isTaken && onExisting === "replace" && (isAssigned || isFolder || existing?.type === FOLDER))
    throw nameTakenIn(folder, { name, existing });
  const free = isTaken && !replaced ? await freeName(change, folder, { name, isFolder, others: assigned }) : name;
  if (replaced) change.touched.add(replaced.pieceId);
  assigned.add(free, isFolder);
  return { name: free, replaced };
}

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
type NamesThere = (name: string, isFolder: boolean) => StoredIndexEntry | undefined;

/** Looks up the names of many entries in their target folder. */
export async function namesThere(
  change: ChangeBase,
  { path, pathKey }: FolderAt,
  names: readonly FullName[],
): Promise<NamesThere> {
  const { userId, indexKeys } = change.document;
  const pathKeyOf = (name: string) => indexKeys.ofPath(`${path}/${name}`);
  const there = new Map<string, StoredIndexEntry>();
  const folders = new Map<string, StoredIndexEntry>();
  const sought = names.map(({ name, isFolder }) => ({ forms: formsOf(name), isFolder }));
  const allForms = sought.flatMap(({ forms }) => forms);
  for (const entry of await entriesNamed(userId, pathKey, allForms)) addFirst(there, displayName(entry), entry);
  const pathKeys = sought.flatMap(({ forms, isFolder }) => (isFolder ? forms.map(pathKeyOf) : []));
  for (const entry of await foldersByPath(userId, pathKeys)) addFirst(folders, entry.pathKey ?? "", entry);
  return (name, isFolder) => {
    const forms = formsOf(name);
    const folder = isFolder ? forms.map(pathKeyOf).find((pathKey) => folders.has(pathKey)) : undefined;
    return folders.get(folder ?? "") ?? there.get(forms.find((form) => there.has(form)) ?? "");
  };
}

/** Documents have entries of one name, which only an import brings. */
function addFirst(entries: Map<string, StoredIndexEntry>, name: string, entry: StoredIndexEntry): void {
  if (!entries.has(name)) entries.set(name, entry);
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
  checkLocation(parent.path);
  const requested = { name: requestedName, isFolder: false };
  const existing = await named(change, parent, requested);
  const { name, replaced } = await nameFor(change, parent, { ...requested, existing, onExisting, assigned });
  const id = replaced?.entryId ?? freshId;
  change.list(parent, { add: [id] });
  if (replaced) {
    const { edit } = change;
    change.edit = (entry) => (entry.id === id ? "remove" : edit(entry));
  }
  return { id, ...splitName(name), location: parent.path };
}

/** What a request stored under this id, if it is a repeated one. */
export async function storedBefore({ document }: PlannedChange, id: string): Promise<EntrySummary | undefined> {
  const [stored] = await entriesById(document, [id]);
  return stored && summaryOf(stored);
}

/** How lists will show a new file. */
export function summaryOfNew(
  { id, name, type }: EntryHead,
  { size, isText, edited }: Pick<EntrySummary, "size" | "isText" | "edited">,
): EntrySummary {
  return { id, name: `${name}${type}`, type, isFolder: false, isText, size, children: 0, edited };
}
