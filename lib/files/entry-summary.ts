import { FOLDER } from "./entry-rules";
import { displayName, type IndexEntry } from "./index-entry";

/** A file or folder as a list shows it. */
export interface EntrySummary {
  id: string;
  /** As people see it, a file's with its extension; shortened to 255 characters and an extension. */
  name: string;
  /** ".folder", or the extension with its point; "" for a file without one. */
  type: string;
  isFolder: boolean;
  /** Whether a file's content is text; false for a folder. */
  isText: boolean;
  /** Bytes of a file's content; 0 for a folder. */
  size: number;
  /** How many children a folder names; 0 for a file. */
  children: number;
  /** Unix ms; null where the document does not say. */
  edited: number | null;
}

/** An entry as lists show it. */
export function summaryOf({ entryId, label, type, size, edited, isBase64 }: IndexEntry): EntrySummary {
  const isFolder = type === FOLDER;
  const name = displayName({ label, type });
  const isText = !isFolder && !isBase64;
  return { id: entryId, name, type, isFolder, isText, size: isFolder ? 0 : size, children: isFolder ? size : 0, edited };
}
