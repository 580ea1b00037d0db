import { pace } from "@/lib/platform/event-loop";
import { DraftWriter } from "../change/draft";
import { Appender } from "../change/rewriter";
import { entriesOfBlock } from "../change/scan";
import { type EntryHead, pathOf } from "../document/entry";
import { invalidDocument } from "../errors";
import type { IndexKeys } from "../index/entry";
import { type Block, blocksOf, POSITIONS_APART } from "../pieces/piece";
import type { OpenVersion } from "../pieces/read";
import { removePieces } from "../pieces/versions";
import { type ImportChecks, type Refusal, sentenceOf } from "./rules";

/** The position of waiting pieces: after all others of a document. */
const LATE_FROM = 2n ** 62n;
const FIRST_NUMBERS = 1_024;
/** How often waiting entries are reread: the maximum depth of folders in the wrong order. */
const MAX_ROUNDS = 32;

/**
 * A waiting piece of small entries, or the waiting pieces of a large one; how many entries are before it, and how many
 * in it still wait.
 */
interface Waiting {
  block: Block;
  from: number;
  left: number;
}

/** `n`: which of the late entries it is, from 0. */
interface LateEntry {
  n: number;
  head: EntryHead;
}

/**
 * The entries of an import that came before their folder, or before the root folder. They wait as pieces of the same
 * draft: only a number for each is in memory.
 */
export class LateEntries {
  /** Most documents have none of them. */
  private waiting: { drafts: DraftWriter; pieces: Appender } | undefined;
  /** Their numbers in the document. */
  private numbers = new Uint32Array(FIRST_NUMBERS);
  private settled = new Uint8Array();
  private count = 0;
  private readonly turn = pace();

  constructor(
    private readonly draft: { id: string; userId: string },
    private readonly indexKeys: IndexKeys,
  ) {}

  /** The writer for the text of late entries. */
  get writer(): Appender {
    if (this.waiting) return this.waiting.pieces;
    const drafts = new DraftWriter(this.draft);
    const pieces = new Appender(drafts, this.indexKeys, LATE_FROM - POSITIONS_APART);
    this.waiting = { drafts, pieces };
    return pieces;
  }

  /** Completes an entry. `number`: its number in the document, from 1. */
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

  /**
   * Adds all late entries whose folder was read to the end of the document, in their order if possible, and reports
   * the others.
   */
  async settle(main: Appender, checks: ImportChecks): Promise<void> {
    if (!this.waiting) return;
    const { drafts, pieces } = this.waiting;
    await pieces.finish();
    await drafts.flush();
    this.settled = new Uint8Array(this.count);
    let from = 0;
    const waiting = blocksOf(drafts.pieces).map((block) => {
      const left = block[0].entries;
      from += left;
      return { block, from: from - left, left };
    });
    for (let round = 1; await this.append(main, waiting, checks); round++)
      if (round === MAX_ROUNDS)
        throw invalidDocument(
          `Folders come after their contents, more than ${MAX_ROUNDS} levels deep. ` +
            "Put each folder before its contents.",
        );
    await main.finish();
    await this.reportOrphans(waiting, checks);
    await removePieces({ draftId: this.draft.id, position: { gte: LATE_FROM } });
  }

  close(): void {
    this.waiting?.drafts.close();
  }

  /** Adds the entries that can be added now. Returns whether there were any. */
  private async append(appender: Appender, waiting: readonly Waiting[], checks: ImportChecks): Promise<boolean> {
    const { rules, report } = checks;
    let added = 0;
    for (const group of waiting) {
      if (group.left === 0) continue;
      const select = async (entries: readonly EntryHead[]) => {
        const changes = new Map<string, Partial<EntryHead>>();
        for (const [n, entry] of entries.entries()) {
          await this.turn();
          if (this.settled[group.from + n] === 1) continue;
          const verdict = rules.check(entry);
          if (verdict === "late") continue;
          this.settled[group.from + n] = 1;
          group.left--;
          if (verdict !== "accepted") {
            this.refuse({ n: group.from + n, head: entry }, verdict, checks);
            continue;
          }
          const location = rules.storedLocation(entry.location);
          changes.set(entry.id, location === entry.location ? {} : { location });
          if (rules.accept(entry)) report.note("twin");
        }
        added += changes.size;
        report.note("order", changes.size);
        return changes;
      };
      await appender.copies(this.version, [group.block], select);
    }
    return added > 0;
  }

  private async reportOrphans(waiting: readonly Waiting[], checks: ImportChecks): Promise<void> {
    // All folders that cannot be imported must be determined before the first reason is reported.
    for await (const { head } of this.entriesLeft(waiting)) checks.rules.reject(head);
    for await (const late of this.entriesLeft(waiting))
      this.refuse(late, checks.rules.orphaned(late.head.location), checks);
  }

  private async *entriesLeft(waiting: readonly Waiting[]): AsyncGenerator<LateEntry> {
    for (const { block, from, left } of waiting) {
      if (left === 0) continue;
      for (const [n, head] of (await entriesOfBlock(this.version, block)).entries()) {
        await this.turn();
        if (this.settled[from + n] === 0) yield { n: from + n, head };
      }
    }
  }

  private refuse({ n, head }: LateEntry, refusal: Refusal, { rules, report }: ImportChecks): void {
    const entry = this.numbers[n] ?? 0;
    report.refuse(refusal.reason, { entry, path: pathOf(head), sentence: sentenceOf(entry, refusal) });
    rules.reject(head);
  }

  private get version(): OpenVersion {
    return { userId: this.draft.userId, version: 0, openedAt: performance.now() };
  }
}
