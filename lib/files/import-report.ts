import { ApiError } from "@/lib/errors";

/** Of what cannot be imported, so much is named one by one. */
export const MOST_NAMED = 1_000;
const MOST_NAME = 200;
/** What would move the words around it, or be an order to a terminal. */
const UNSEEN = /[\p{Cc}\p{Bidi_Control}]/gu;

/** Why an entry cannot be imported, as what is counted. */
const REASONS = {
  value: "A value of the wrong kind",
  long: "A value longer than 65,536 bytes",
  name: "A folder name that is empty or holds a slash",
  list: "A folder whose data is not a list of ids",
  id: "An id that cannot be kept",
  outside: "Outside the document’s own root folder",
  missing: "In a folder that the document does not have",
  below: "In a folder that cannot be imported",
} as const;
export type Reason = keyof typeof REASONS;

/** What an import puts right without changing a value that programs see, and what else is worth knowing. */
const NOTES = {
  order: "Put after the folder that they are in",
  slash: "Slash removed from the end of the location",
  twin: "Same folder as another one, but for the case of its letters",
} as const;
export type Note = keyof typeof NOTES;

/** An entry that cannot be imported. */
export interface Refused {
  /** Its number in the document, from 1. */
  entry: number;
  /** Its path as far as it is known, shortened. */
  path: string;
  sentence: string;
}

export interface ReportedImport {
  /** How many entries the document has, and how many of them are imported. */
  total: number;
  taken: number;
  /** Why entries cannot be imported, the most frequent first. */
  reasons: { reason: Reason; words: string; count: number }[];
  /** Those entries, or the first of them, in the document's order. */
  refused: Refused[];
  notes: { note: Note; words: string; count: number }[];
}

/** Collects what is to be said of a document's entries. Holds the sentences of some, and numbers of all. */
export class ImportReport {
  private readonly counts = new Map<Reason, number>();
  private readonly noted = new Map<Note, number>();
  private refused: Refused[] = [];
  /** How many entries are left out. */
  left = 0;

  refuse(entry: number, path: string, reason: Reason, sentence: string): void {
    this.left++;
    this.counts.set(reason, (this.counts.get(reason) ?? 0) + 1);
    if (this.refused.length < MOST_NAMED) this.refused.push({ entry, path: shortened(path), sentence });
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

/** Some entries of a document cannot be imported, and it was not asked to leave them out: nothing was changed. */
export class EntriesRefused extends ApiError {
  constructor(readonly report: ReportedImport) {
    const [first] = report.refused;
    const left = report.total - report.taken;
    const others =
      left === 1 ? "The others can be imported without it." : `${left} of ${report.total} entries cannot be imported; the others can be without them.`;
    super(400, "entries_refused", `${first?.sentence} ${others}`);
  }
}

/** Text of a stranger's as it can stand in a sentence. */
export function quoted(text: string): string {
  return JSON.stringify(shortened(text));
}

function shortened(text: string): string {
  const short = text.length > MOST_NAME ? `${text.slice(0, MOST_NAME)}…` : text;
  return short.replace(UNSEEN, "\ufffd").toWellFormed();
}
