import { ApiError, invalidParameter } from "@/lib/errors";
import { changeDocument } from "./change/change-document";
import { folderAt } from "./change/folder-at";
import { newFile } from "./change/new-file";
import { GivenNames } from "./change/taken-names";
import type { FileOwner } from "./document/entry";
import { fileData } from "./document/file-data";
import { checkName } from "./document/names";
import { editedAt, entryText, fileValues } from "./document/new-entry";
import { partTooLarge } from "./errors";
import { entriesById } from "./index/find-rows";
import type { OnExisting } from "./on-existing";
import { MOST_TOGETHER, PART_BYTES } from "./part-bytes";

/** A file to be stored with others. */
export interface SmallFile {
  /** Chosen by the sender, for this file only: a repeated request does not store it a second time. */
  id: string;
  name: string;
  bytes: Uint8Array;
  /** When it was last changed, in Unix ms, as its sender says. */
  modified?: number;
}

/**
 * Stores at most `MOST_TOGETHER` files of `PART_BYTES` together into one folder, in one change. Returns for each of
 * them why it was refused (400 `invalid_parameter` for the name, 409 `name_taken`), or undefined if it is stored: now,
 * or before by the same request. Throws what concerns all of them, and then stores none: as `putFile` does, and 400
 * `invalid_parameter` for too many files, or for two with the same id.
 */
export async function putFiles(
  user: FileOwner,
  parentId: string | undefined,
  files: readonly SmallFile[],
  onExisting: OnExisting,
  now: Date = new Date(),
): Promise<(ApiError | undefined)[]> {
  const ids = files.map(({ id }) => id);
  if (files.length > MOST_TOGETHER) throw invalidParameter(`At most ${MOST_TOGETHER} files can be sent together.`);
  if (new Set(ids).size < ids.length) throw invalidParameter("Two files have the same id.");
  if (files.reduce((sum, { bytes }) => sum + bytes.length, 0) > PART_BYTES) throw partTooLarge();
  return changeDocument(user, now, async (change) => {
    const folder = await folderAt(change, parentId);
    const stored = new Set((await entriesById(user.id, change.document.keys, ids)).map(({ entryId }) => entryId));
    const given = new GivenNames();
    const store = async ({ id, name, bytes, modified }: SmallFile) => {
      checkName(name);
      const { data } = fileData(name, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
      const head = await newFile(change, folder, name, onExisting, { id, given });
      change.add({ text: entryText(fileValues(head, user, now, editedAt(modified, now), data)) });
    };
    const results: (ApiError | undefined)[] = [];
    for (const file of files) results.push(stored.has(file.id) ? undefined : await refusalOf(store(file)));
    return results;
  });
}

async function refusalOf(storing: Promise<void>): Promise<ApiError | undefined> {
  try {
    await storing;
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
