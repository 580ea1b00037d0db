import { type EntryHead, USERS } from "../document/entry";
import { foldCase } from "../document/fold-case";
import { pathOf } from "../document/paths";
import { foldersByPath } from "../index/find-rows";
import { findFolder } from "../index/folders";
import type { EntryPlace } from "../pieces/piece";
import type { ChangeBase, FolderAt } from "./base";
import { headOf } from "./heads";

/** The folder with this id, or the root. Throws 404 `entry_not_found`, 400 `not_a_folder`. */
export async function folderAt(change: ChangeBase, id: string | undefined): Promise<FolderAt> {
  const { document, user } = change;
  const home = `${USERS}/${user.username}`;
  if (document.version === 0 && !id)
    return { path: home, key: document.keys.ofPath(home), place: undefined, pieceIds: [] };
  const row = await findFolder(document, id);
  return folderWithPath(change, pathOf(await headOf(change, row)), row);
}

/**
 * The folder that contains an entry. Looked up once for all entries of a folder in one change, however their locations
 * are written.
 */
export async function parentOf(change: ChangeBase, { location }: Pick<EntryHead, "location">): Promise<FolderAt> {
  const folder = foldCase(location);
  const known = change.parents.get(folder) ?? folderWithPath(change, location);
  change.parents.set(folder, known);
  return { ...(await known), path: location };
}

async function folderWithPath(change: ChangeBase, path: string, known?: EntryPlace): Promise<FolderAt> {
  const { userId, keys } = change.document;
  const key = keys.ofPath(path);
  const folders = await foldersByPath(userId, [key]);
  return { path, key, place: known ?? folders[0], pieceIds: folders.map(({ pieceId }) => pieceId) };
}

/** The folder with this path, if it exists. */
export async function folderIfAny(change: ChangeBase, path: string): Promise<FolderAt | undefined> {
  const folder = await parentOf(change, { location: path });
  return folder.place && folder;
}
