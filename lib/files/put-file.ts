import { ApiError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { changeDocument } from "./change-document";
import type { DocumentChange, FileOwner } from "./document-change";
import type { EntryHead } from "./entry-edit";
import { FOLDER } from "./entry-rules";
import type { EntrySummary } from "./entry-summary";
import { entryText, fileValues } from "./entry-text";
import { nameTaken } from "./errors";
import { fileData } from "./file-data";
import { checkLocation, type FolderAt, folderAt, freeName, named } from "./folder-at";
import { checkName, splitName } from "./names";

/** What happens where the name is taken: 409 `name_taken`, another name, or a new content for the file that has it. */
export type OnExisting = "refuse" | "keep" | "replace";

/** Of a file that comes in one part; larger ones are uploaded. */
export const MOST_PART_BYTES = 4 * 1024 * 1024;

/**
 * Stores a small file: at most 4 MB. Text is stored as text, anything else as a data: URL. Throws 400 `invalid_parameter` for the name,
 * 404 `entry_not_found`, 400 `not_a_folder`, 409 `name_taken` (also to replace a folder), 413 `too_large`, 403 `files_limit`.
 */
export async function putFile(
  user: FileOwner,
  parentId: string | undefined,
  { name, bytes, onExisting }: { name: string; bytes: Uint8Array; onExisting: OnExisting },
  now: Date = new Date(),
): Promise<EntrySummary> {
  checkName(name);
  if (bytes.length > MOST_PART_BYTES) throw tooLarge();
  const data = fileData(name, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  return changeDocument(user, now, async (change) => {
    const head = await newFile(change, await folderAt(change, parentId), name, onExisting);
    change.add({ text: entryText(fileValues(head, user, now, data)) });
    return fileSummary(head, bytes.length, data, now);
  });
}

/** The head of a file that is to come into a folder: its list has it, and the file that it replaces goes. */
export async function newFile(change: DocumentChange, parent: FolderAt, wanted: string, onExisting: OnExisting): Promise<EntryHead> {
  const existing = await named(change, parent, wanted, false);
  if (existing && (onExisting === "refuse" || (onExisting === "replace" && existing.type === FOLDER))) throw nameTaken(wanted);
  const replaced = onExisting === "replace" ? existing : undefined;
  const name = existing && !replaced ? await freeName(change, parent, wanted, false) : wanted;
  const id = replaced?.entryId ?? newId();
  checkLocation(parent.path);
  change.list(parent.path, parent.pieceIds, { add: [id] });
  if (replaced) {
    change.touched.add(replaced.pieceId);
    change.edit = (entry) => (entry.id === id ? "remove" : undefined);
  }
  return { id, ...splitName(name), location: parent.path };
}

export function fileSummary({ id, name, type }: EntryHead, size: number, data: string, now: Date): EntrySummary {
  return { id, name: `${name}${type}`, type, isFolder: false, isText: !data.startsWith("data:"), size, children: 0, edited: now.getTime() };
}

export const tooLarge = () => new ApiError(413, "too_large", "A part of a file has at most 4 MB.");
