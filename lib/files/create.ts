import { ApiError, invalidParameter } from "@/lib/platform/errors";
import { newId } from "@/lib/platform/ids";
import { changeDocument, type PlannedChange } from "./change/change";
import { folderAt } from "./change/located";
import {
  AssignedNames,
  named,
  nameTakenIn,
  newFile,
  requireFreeName,
  storedBefore,
  summaryOfNew,
} from "./change/names";
import type { FolderAt } from "./change/publish";
import { fileData } from "./document/content";
import { checkLocation, checkName, type FileOwner, FOLDER } from "./document/entry";
import { editedAt, entryText, entryValues, folderValues } from "./document/splices";
import { partTooLarge } from "./errors";
import { entriesById } from "./index/find";
import { type EntrySummary, MAX_TOGETHER, type OnExisting, PART_BYTES } from "./schema";

/**
 * Creates an empty folder. Throws 400 `invalid_parameter` for the name, 404 `entry_not_found`, 400 `not_a_folder`, 409
 * `name_taken`, 403 `files_limit`.
 */
export async function createFolder(
  user: FileOwner,
  parentId: string | undefined,
  { name, now = new Date() }: { name: string; now?: Date },
): Promise<EntrySummary> {
  checkName(name);
  return changeDocument(user, now, async (change) => {
    const parent = await folderAt(change, parentId);
    await requireFreeName(change, parent, { name, isFolder: true });
    return addFolder(change, parent, name);
  });
}

/**
 * The folder with this name; if it was missing, it is created, and `isNew`. Throws as `createFolder` does; 409
 * `name_taken` only for a file.
 */
export async function openFolder(
  user: FileOwner,
  parentId: string | undefined,
  { name }: { name: string },
): Promise<{ id: string; isNew: boolean }> {
  checkName(name);
  return changeDocument(user, new Date(), async (change) => {
    const parent = await folderAt(change, parentId);
    const existing = await named(change, parent, { name, isFolder: true });
    if (existing && existing.type !== FOLDER) throw nameTakenIn(parent, { name, existing });
    return { id: existing?.entryId ?? addFolder(change, parent, name).id, isNew: !existing };
  });
}

function addFolder(change: PlannedChange, parent: FolderAt, name: string): EntrySummary {
  checkLocation(`${parent.path}/${name}`);
  const head = { id: newId(), type: FOLDER, name, location: parent.path };
  change.add({ text: entryText(folderValues(head, change.user, { now: change.now })) });
  change.list(parent, { add: [head.id] });
  return {
    id: head.id,
    name,
    type: FOLDER,
    isFolder: true,
    isText: false,
    size: 0,
    children: 0,
    edited: change.now.getTime(),
  };
}

/** A small file to be stored. */
interface NewFile {
  /** Chosen by the sender, for this file only: a repeated request does not store it a second time. */
  id?: string;
  name: string;
  bytes: Uint8Array;
  /** When it was last changed, in Unix ms, as its sender reports. */
  modified?: number;
}
type SentFile = NewFile & { id: string };

/**
 * Stores a small file: at most `PART_BYTES`. Text is stored as text, anything else as a data: URL. Throws 400
 * `invalid_parameter` for the name, 404 `entry_not_found`, 400 `not_a_folder`, 409 `name_taken` (also if it would
 * replace a folder), 413 `body_too_large`, 403 `files_limit`.
 */
export async function putFile(
  user: FileOwner,
  parentId: string | undefined,
  { onExisting, now = new Date(), ...file }: NewFile & { onExisting: OnExisting; now?: Date },
): Promise<EntrySummary> {
  checkName(file.name);
  if (file.bytes.length > PART_BYTES) throw partTooLarge();
  return changeDocument(user, now, async (change) => {
    const stored = file.id && (await storedBefore(change, file.id));
    return stored || storeIn(change, await folderAt(change, parentId), { ...file, onExisting });
  });
}

/**
 * Stores at most `MAX_TOGETHER` files of `PART_BYTES` together into one folder, in one change. Returns for each of
 * them why it was refused (400 `invalid_parameter` for the name, 409 `name_taken`), or undefined if it is stored: now,
 * or before by the same request. Throws what concerns all of them, and then stores none: as `putFile` does, and 400
 * `invalid_parameter` for too many files, or for two with the same id.
 */
export async function putFiles(
  user: FileOwner,
  parentId: string | undefined,
  { files, onExisting, now = new Date() }: { files: readonly SentFile[]; onExisting: OnExisting; now?: Date },
): Promise<(ApiError | undefined)[]> {
  const ids = files.map(({ id }) => id);
  if (files.length > MAX_TOGETHER) throw invalidParameter(`At most ${MAX_TOGETHER} files can be sent together.`);
  if (new Set(ids).size < ids.length) throw invalidParameter("Two files have the same id.");
  if (files.reduce((sum, { bytes }) => sum + bytes.length, 0) > PART_BYTES) throw partTooLarge();
  return changeDocument(user, now, async (change) => {
    const folder = await folderAt(change, parentId);
    const stored = new Set((await entriesById(change.document, ids)).map(({ entryId }) => entryId));
    const assigned = new AssignedNames();
    const store = (file: NewFile) => refusalOf(storeIn(change, folder, { ...file, onExisting, assigned }));
    const results: (ApiError | undefined)[] = [];
    for (const file of files) results.push(stored.has(file.id) ? undefined : await store(file));
    return results;
  });
}

/** Plans to store a file. Throws 400 `invalid_parameter` for the name, and as `newFile` does. */
async function storeIn(
  change: PlannedChange,
  folder: FolderAt,
  { bytes, modified, ...file }: NewFile & { onExisting: OnExisting; assigned?: AssignedNames },
): Promise<EntrySummary> {
  checkName(file.name);
  const { data, isText } = fileData(file.name, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  const edited = editedAt(modified, change.now);
  const head = await newFile(change, folder, file);
  change.add({ text: entryText(entryValues(head, change.user, { data, created: change.now, edited })) });
  return summaryOfNew(head, { size: bytes.length, isText, edited });
}

async function refusalOf(storing: Promise<unknown>): Promise<ApiError | undefined> {
  try {
    await storing;
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
