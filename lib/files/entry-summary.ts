/** A file or folder as a list shows it. */
export interface EntrySummary {
  id: string;
  /** The name that people see, for a file with its extension; shortened to 255 characters and an extension. */
  name: string;
  /** ".folder", or the extension with its point; "" for a file without one. */
  type: string;
  isFolder: boolean;
  /** Whether a file's content is text; false for a folder. */
  isText: boolean;
  /** Bytes of a file's content; 0 for a folder. */
  size: number;
  /** Number of listed children of a folder; 0 for a file. */
  children: number;
  /** Unix ms; null if the document does not say. */
  edited: number | null;
}
