import { z } from "zod";

/** No entry has a longer id. */
export const MAX_ID = 64;
/**
 * Characters that need no escaping in JSON, an address or an index: no space, quote or backslash. Ours are 32 lowercase
 * hex digits; imported documents bring others.
 */
const ID = /^[!#-[\]-~]+$/;

/** Whether an entry may have this id. */
export function isEntryId(text: string): boolean {
  return text.length <= MAX_ID && ID.test(text);
}

/** Characters of a path by which an entry can be read. */
const MAX_PATH = 8_192;
const path = z
  .string()
  .refine((text) => text !== "" && text.length <= MAX_PATH, `must have 1 to ${MAX_PATH} characters`);

/** The parameters of `/read-files`. */
export const selection = z.object({
  path: path.optional().describe("Only the entry with this path, in any case of its letters."),
  id: z
    .string()
    .refine(isEntryId, `must be 1 to ${MAX_ID} characters of an id`)
    .optional()
    .describe("Only the entry with this id."),
  under: path.optional().describe("Only the folder with this path or id, and everything below it."),
  only: z
    .literal("index", 'can only be "index"')
    .optional()
    .describe("index: without the data of files. Can be combined with under."),
});

/** What of a document is to be read. `under`: the path or id of a folder, for it and everything below it. */
export type Choice = z.infer<typeof selection>;

/** A file or folder as a list shows it. */
export interface EntrySummary {
  id: string;
  /** The displayed name, for a file with its extension; shortened to 255 characters and an extension. */
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
  /** Unix ms; null if the document has none. */
  edited: number | null;
}

/** What to do if the folder already has an entry with that name. */
export const onExisting = z.enum(["refuse", "keep", "replace"]);
export type OnExisting = z.infer<typeof onExisting>;

/**
 * The maximum size in bytes of one part of an upload, and of a file sent in one request. Platforms that run the service
 * may refuse more than 4.5 MB in one request.
 */
export const PART_BYTES = 4_000_000;

/** Files of at most this size, in bytes, are sent several in one request. */
export const SMALL_BYTES = 64_000;
/** How many of them in one request: together with their names they fit into one part. */
export const MAX_TOGETHER = 50;

/** Control characters that readable text never contains: all but tab, line feed, form feed and carriage return. */
const CONTROLS = /[\0-\x08\x0b\x0e-\x1f\x7f]/;
/** Text with this prefix would be read as a data: URL. */
export const DATA_URL = "data:";

/**
 * Whether a file is stored as text; otherwise its bytes are stored as a data: URL. The bytes must also be UTF-8.
 * `isBegin`: this is the beginning of the file.
 */
export function isPlainText(text: string, isBegin: boolean): boolean {
  return !CONTROLS.test(text) && !(isBegin && text.startsWith(DATA_URL));
}
