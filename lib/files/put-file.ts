import { changeDocument } from "./change/change-document";
import { folderAt } from "./change/folder-at";
import { newFile, storedBefore, summaryOfNew } from "./change/new-file";
import type { FileOwner } from "./document/entry";
import { fileData } from "./document/file-data";
import { checkName } from "./document/names";
import { editedAt, entryText, fileValues } from "./document/new-entry";
import type { EntrySummary } from "./entry-summary";
import { partTooLarge } from "./errors";
import type { OnExisting } from "./on-existing";
import { PART_BYTES } from "./part-bytes";

interface WholeFile {
  id?: string;
  name: string;
  bytes: Uint8Array;
  /** When it was last changed, in Unix ms, as its sender says. */
  modified?: number;
  onExisting: OnExisting;
}

/**
 * Stores a small file: at most `PART_BYTES`. Text is stored as text, anything else as a data: URL. If there is an `id`,
 * chosen by the sender for this file only, a repeated request does not store it a second time. Throws 400
 * `invalid_parameter` for the name, 404 `entry_not_found`, 400 `not_a_folder`, 409 `name_taken` (also if it would
 * replace a folder), 413 `body_too_large`, 403 `files_limit`.
 */
export async function putFile(
  user: FileOwner,
  parentId: string | undefined,
  { id, name, bytes, modified, onExisting }: WholeFile,
  now: Date = new Date(),
): Promise<EntrySummary> {
  checkName(name);
  if (bytes.length > PART_BYTES) throw partTooLarge();
  const { data, isText } = fileData(name, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  const edited = editedAt(modified, now);
  return changeDocument(user, now, async (change) => {
    const stored = id && (await storedBefore(change, id));
    if (stored) return stored;
    const head = await newFile(change, await folderAt(change, parentId), name, onExisting, { id });
    change.add({ text: entryText(fileValues(head, user, now, edited, data)) });
    return summaryOfNew(head, bytes.length, isText, edited);
  });
}
