import { Appender } from "./append";
import { sentenceOf } from "./document-reader";
import { type PieceFacts, POSITIONS_APART } from "./draft";
import { DraftWriter } from "./draft-writer";
import type { EntryHead } from "./entry-edit";
import type { EntryRules, Refusal } from "./entry-rules";
import { invalidDocument } from "./errors";
import type { ImportReport } from "./import-report";
import type { IndexKeys } from "./index-keys";
import { blocksOf } from "./outline";
import { PieceWriter } from "./piece-writer";
import { pathOf } from "./places";
import { scanEntries, scanLarge, textOfPiece } from "./scan";
import type { OpenVersion } from "./stored-pieces";
import { removePieces } from "./sweep";

/** Where pieces wait: behind all that a document has. */
const LATE_FROM = 2n ** 62n;
const FIRST_NUMBERS = 1_024;
/** How often what waits is read again: so deep folders may stand in the wrong order. */
const MOST_ROUNDS = 32;

/** A piece of small entries, or the pieces of a large one, that wait; how many entries are before it, and how many still wait in it. */
interface Waiting {
  block: PieceFacts[];
  from: number;
  left: number;
}

/**
 * The entries of an import that came before their folder, or before the root folder. They wait as pieces of the same draft, so
 * none of them is in memory: only a number for each.
 */
export class LateEntries {
  /** Most documents have none of them. */
  private waiting: { drafts: DraftWriter; pieces: PieceWriter } | undefined;
  /** Which entries of the document they are. */
  private numbers = new Uint32Array(FIRST_NUMBERS);
  private settled = new Uint8Array();
  private count = 0;

  constructor(
    private readonly draft: { id: string; userId: string },
    private readonly keys: IndexKeys,
  ) {}

  /** Where the text of an entry that is late goes. */
  get writer(): PieceWriter {
    if (this.waiting) return this.waiting.pieces;
    const drafts = new DraftWriter(this.draft);
    const pieces = new PieceWriter(drafts, this.keys, () => LATE_FROM + POSITIONS_APART * BigInt(drafts.pieces.length));
    this.waiting = { drafts, pieces };
    return pieces;
  }

  /** Completes an entry. `number`: which one of the document it is, from 1. */
  endEntry(number: number): void {
    this.writer.cutter.endEntry();
    if (this.count === this.numbers.length) {
      const grown = new Uint32Array(this.count * 2);
      grown.set(this.numbers);
      this.numbers = grown;
    }
    this.numbers[this.count++] = number;
  }

  async store(): Promise<void> {
    await this.waiting?.pieces.store();
  }

  /** Adds all of them whose folder came to the end of the document, in the order in which they came but for that, and reports the others. */
  async settle(main: DraftWriter, rules: EntryRules, report: ImportReport): Promise<void> {
    if (!this.waiting) return;
    const { drafts, pieces } = this.waiting;
    await pieces.finish();
    await drafts.flush();
    this.settled = new Uint8Array(this.count);
    let from = 0;
    const waiting = blocksOf(drafts.pieces).map((block) => {
      const left = block[0]?.entries ?? 0;
      from += left;
      return { block, from: from - left, left };
    });
    const appender = new Appender(main, this.keys, main.pieces.at(-1)?.position ?? 0n);
    for (let round = 1; await this.append(appender, waiting, rules, report); round++)
      if (round === MOST_ROUNDS)
        throw invalidDocument(`Folders come behind what lies in them, more than ${MOST_ROUNDS} levels deep. Put each folder before it.`);
    await appender.finish();
    await this.reportOrphans(waiting, rules, report);
    await removePieces({ draftId: this.draft.id, position: { gte: LATE_FROM } });
  }

  close(): void {
    this.waiting?.drafts.close();
  }

  /** Adds what can be added by now. Answers whether there was any. */
  private async append(appender: Appender, waiting: readonly Waiting[], rules: EntryRules, report: ImportReport): Promise<boolean> {
    let added = 0;
    for (const place of waiting) {
      if (place.left === 0) continue;
      const select = async (entries: readonly EntryHead[]) => {
        const wanted = new Map<string, Partial<EntryHead>>();
        for (const [n, entry] of entries.entries()) {
          if (this.settled[place.from + n] === 1) continue;
          const verdict = rules.judge(entry);
          if (verdict === "late") continue;
          this.settled[place.from + n] = 1;
          place.left--;
          if (verdict !== "taken") {
            this.refuse(place.from + n, entry, verdict, rules, report);
            continue;
          }
          const location = rules.storedLocation(entry.location);
          wanted.set(entry.id, location === entry.location ? {} : { location });
          if (rules.took(entry)) report.note("twin");
        }
        added += wanted.size;
        report.note("order", wanted.size);
        return wanted;
      };
      await appender.copies(this.version, [place.block], select);
    }
    return added > 0;
  }

  private async reportOrphans(waiting: readonly Waiting[], rules: EntryRules, report: ImportReport): Promise<void> {
    // All folders that cannot be imported are known before it is said of the first entry why it cannot.
    for await (const { head } of this.entriesLeft(waiting)) rules.left(head);
    for await (const { n, head } of this.entriesLeft(waiting)) this.refuse(n, head, rules.orphaned(head.location), rules, report);
  }

  private async *entriesLeft(waiting: readonly Waiting[]): AsyncGenerator<{ n: number; head: EntryHead }> {
    for (const { block, from, left } of waiting) {
      const [first] = block;
      if (left === 0 || !first) continue;
      const entries = block.length > 1 ? [await scanLarge(this.version, block)] : scanEntries(await textOfPiece(this.version, first));
      for (const [n, head] of entries.entries()) if (this.settled[from + n] === 0) yield { n: from + n, head };
    }
  }

  private refuse(n: number, head: EntryHead, refusal: Refusal, rules: EntryRules, report: ImportReport): void {
    const number = this.numbers[n] ?? 0;
    report.refuse(number, pathOf(head), refusal.reason, sentenceOf(number, refusal));
    rules.left(head);
  }

  private get version(): OpenVersion {
    return { userId: this.draft.userId, version: 0, openedAt: Date.now() };
  }
}
