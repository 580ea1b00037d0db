import { counted, entriesInWords, MAX_PART_BYTES } from "@/lib/platform/bounds";
import { ApiError, bodyTooLarge } from "@/lib/platform/errors";
import { type EntrySummary, PART_BYTES } from "./schema";

export const invalidDocument = (sentence: string) => new ApiError(400, "invalid_document", sentence);
export const filesLimit = (sentence: string) => new ApiError(403, "files_limit", sentence);
/** `rest`: why the limit is exceeded. */
export const overQuota = (max: number, unit: "byte" | "entry", rest: string) =>
  filesLimit(
    `There is room for ${unit === "entry" ? entriesInWords(max) : counted(max, "byte", "bytes")}${rest}. ` +
      "Nothing was changed.",
  );
export const draftLost = () =>
  new ApiError(
    409,
    "draft_lost",
    "This took too long without any progress and was cancelled. Nothing was changed; try again.",
  );
export const changedMeanwhile = () =>
  new ApiError(
    409,
    "changed_meanwhile",
    "Your files were being changed elsewhere at the same time. Nothing was changed here; try again.",
  );
export const noFiles = () => new ApiError(404, "no_files", "No files have been stored yet.");
export const noSuchEntry = () => new ApiError(404, "no_such_entry", "There is no file or folder with this path or id.");
export const entryNotFound = () => new ApiError(404, "entry_not_found", "This file or folder no longer exists.");
export const deletionExpired = () =>
  new ApiError(410, "gone", "The deleted items are no longer kept, so they can't be restored.");
export const notAFolder = () => new ApiError(400, "not_a_folder", "This is a file, not a folder.");
export const rootFolder = (sentence: string) => new ApiError(400, "root_folder", sentence);
/** The `details` of `name_taken`: what has the name, unless the same change has just assigned it. */
export interface NameTaken {
  name: string;
  existing?: EntrySummary;
}
/** `folder`: its displayed name. `others`: how many names are used beside this one. */
export const nameTaken = (folder: string, { name, existing }: NameTaken, others = 0) => {
  const too = others === 0 ? "" : ` ${counted(others, "more name is", "more names are")} taken too.`;
  const sentence = `There is already something named ${name} in ${folder}.${too}`;
  return new ApiError(409, "name_taken", sentence, { details: { name, existing } satisfies NameTaken });
};
export const intoItself = () =>
  new ApiError(400, "into_itself", "A folder cannot be moved into itself or into a folder within it.");
const tooMany = (sentence: string) => new ApiError(400, "too_many_entries", sentence);
export const tooManyEntries = (max: number) =>
  tooMany(
    `At most ${max.toLocaleString("en")} files and folders can be selected at a time. ` +
      "Nothing was changed; select fewer.",
  );
export const tooManyToZip = (max: number) =>
  tooMany(
    `At most ${max.toLocaleString("en")} files and folders can be downloaded as one archive. ` +
      "Select fewer, or use “Export for programs (JSON)”.",
  );
export const partTooLarge = () => bodyTooLarge(`A part of an upload can have at most ${PART_BYTES} bytes.`);

/** How many entries that cannot be imported are listed individually. */
export const MAX_NAMED = 1_000;
const MAX_NAME = 200;
/** Characters that would reorder the text around them or act as terminal commands. */
const UNSEEN = /[\p{Cc}\p{Bidi_Control}]/gu;

/** Why an entry cannot be imported: the categories that are counted. */
const REASONS = {
  value: "A value of the wrong type",
  long: `A value longer than ${MAX_PART_BYTES.toLocaleString("en")} bytes`,
  name: "A folder name that is empty or contains a slash",
  list: "A folder whose data is not a list of ids",
  id: "An id that can't be used",
  outside: "Outside the document's own root folder",
  missing: "In a folder that is missing from the document",
  below: "In a folder that can't be imported",
} as const;
export type Reason = keyof typeof REASONS;

/** What an import corrects without changing a value that programs see, and other remarks. */
const NOTES = {
  order: "Moved after the folder they are in",
  slash: "Trailing slash removed from the location",
  twin: "Same folder as another, except for upper and lower case",
} as const;
type Note = keyof typeof NOTES;

/** An entry that cannot be imported. */
interface Refused {
  /** Its number in the document, from 1. */
  entry: number;
  /** Its path as far as read; shortened in a report. */
  path: string;
  sentence: string;
}

export interface ReportedImport {
  /** How many entries the document has, and how many of them are imported. */
  total: number;
  taken: number;
  /** Why entries cannot be imported, the most frequent first. */
  reasons: { reason: Reason; words: string; count: number }[];
  /** These entries, or the first of them, in the document's order. */
  refused: Refused[];
  notes: { note: Note; words: string; count: number }[];
}

/** Collects the report on a document's entries. Stores sentences for some, and counts for all. */
export class ImportReport {
  private readonly counts = new Map<Reason, number>();
  private readonly noted = new Map<Note, number>();
  private refused: Refused[] = [];
  /** How many entries are left out. */
  left = 0;

  refuse(reason: Reason, { entry, path, sentence }: Refused): void {
    this.left++;
    this.counts.set(reason, (this.counts.get(reason) ?? 0) + 1);
    if (this.refused.length < MAX_NAMED) this.refused.push({ entry, path: shortened(path), sentence });
  }

  note(note: Note, count = 1): void {
    if (count > 0) this.noted.set(note, (this.noted.get(note) ?? 0) + count);
  }

  of(total: number): ReportedImport {
    const reasons = [...this.counts].map(([reason, count]) => ({ reason, words: REASONS[reason], count }));
    const notes = [...this.noted].map(([note, count]) => ({ note, words: NOTES[note], count }));
    const refused = this.refused.toSorted((a, b) => a.entry - b.entry);
    return { total, taken: total - this.left, reasons: reasons.toSorted((a, b) => b.count - a.count), refused, notes };
  }
}

/** Some entries of a document cannot be imported, and the caller did not request to skip them: nothing was changed. */
export class EntriesRefused extends ApiError {
  /** As in `ApiError`, but only this refusal. */
  static override [Symbol.hasInstance](thrown: unknown): boolean {
    return thrown instanceof ApiError && thrown.code === "entries_refused";
  }

  constructor(readonly report: ReportedImport) {
    const [first] = report.refused;
    const left = report.total - report.taken;
    const others =
      left === 1
        ? "The others can be imported without it."
        : `${left.toLocaleString("en")} of ${counted(report.total, "entry", "entries")} cannot be imported` +
          (left === report.total ? "." : "; the others can be imported without them.");
    super(400, "entries_refused", `${first?.sentence} ${others}`);
  }
}

/** A stranger's text, safe to quote in a sentence. */
export function quoted(text: string): string {
  return JSON.stringify(shortened(text));
}

function shortened(text: string): string {
  const short = text.length > MAX_NAME ? `${text.slice(0, MAX_NAME)}…` : text;
  return short.replace(UNSEEN, "\ufffd").toWellFormed();
}
