import { newId } from "@/lib/ids";
import { type EntryHead, FOLDER } from "../document/entry";
import { checkLocation, splitName } from "../document/names";
import type { EntrySummary } from "../entry-summary";
import { summaryOf } from "../index/entry-row";
import { entriesById } from "../index/find-rows";
import type { OnExisting } from "../on-existing";
import type { FolderAt } from "./base";
import type { PlannedChange } from "./planned-change";
import { freeName, GivenNames, named, takenIn } from "./taken-names";

/**
 * The head of a new file in a folder. Adds it to the folder's list and removes the file that it replaces, whose id it
 * gets; otherwise its id is `id`. `given`: the names of other new files in that folder; its own is added. Throws 409
 * `name_taken`, and 400 `invalid_parameter` for folders nested too deeply.
 */
export async function newFile(
  change: PlannedChange,
  parent: FolderAt,
  wanted: string,
  onExisting: OnExisting,
  { id: freshId = newId(), given = new GivenNames() }: { id?: string; given?: GivenNames } = {},
): Promise<EntryHead> {
  const existing = await named(change, parent, wanted, false);
  const isGiven = given.has(wanted, false);
  const isTaken = existing !== undefined || isGiven;
  // What the same change writes cannot be replaced in it.
  if (isTaken && (onExisting === "refuse" || (onExisting === "replace" && (isGiven || existing?.type === FOLDER))))
    throw takenIn(parent, wanted, existing);
  const replaced = onExisting === "replace" ? existing : undefined;
  const name = isTaken && !replaced ? await freeName(change, parent, wanted, false, given) : wanted;
  const id = replaced?.entryId ?? freshId;
  checkLocation(parent.path);
  change.list(parent.path, parent.pieceIds, { add: [id] });
  given.add(name, false);
  if (replaced) {
    const { edit } = change;
    change.touched.add(replaced.pieceId);
    change.edit = (entry) => (entry.id === id ? "remove" : edit(entry));
  }
  return { id, ...splitName(name), location: parent.path };
}

/** What a request stored under this id, if it is a repeated one. */
export async function storedBefore({ user, document }: PlannedChange, id: string): Promise<EntrySummary | undefined> {
  const [stored] = await entriesById(user.id, document.keys, [id]);
  return stored && summaryOf(stored);
}

/** How lists will show a new file. */
export function summaryOfNew(
  { id, name, type }: EntryHead,
  size: number,
  isText: boolean,
  edited: number,
): EntrySummary {
  return { id, name: `${name}${type}`, type, isFolder: false, isText, size, children: 0, edited };
}
