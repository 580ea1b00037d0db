import type { Quotas } from "@/lib/quotas";
import { LONGEST_PART_BYTES } from "@/lib/stated-bounds";
import type { EntryWriter } from "../change/entry-writer";
import { DATA, FOLDER, ID, LOCATION } from "../document/entry";
import { EntryMeter } from "../document/entry-meter";
import type { Elements, Kind } from "../document/json-scanner";
import { pathOf } from "../document/paths";
import { invalidDocument, overQuota } from "../errors";
import type { ImportReport } from "../import-report";
import { type EntryRules, type Refusal, sentenceOf, type Verdict } from "./entry-rules";
import { IncomingHead } from "./incoming-head";
import type { LateEntries } from "./late-entries";
import { VALUES } from "./value-rules";

/** The longest value but data: clients hold it in memory. */
const MOST_VALUE_BYTES = 1_048_576;
const SEPARATORS = Buffer.from("[,");

/**
 * Takes the values of a document one after another. Refuses invalid documents (400 `invalid_document`) and those too
 * large (403 `files_limit`). Writes the text to be stored: every value as sent, except for the user's name in the
 * root's name and in the locations, and trailing slashes of these. An entry that cannot be imported is not written; one
 * that comes before its folder is written to `late`.
 */
export class IncomingDocument implements Elements {
  /** Complete entries. */
  entries = 0;
  /** Bytes of JSON text so far, for all entries. */
  private bytes = 0;
  private place = 0;
  private valueBytes = 0;
  private readonly head = new IncomingHead();
  private readonly meter = new EntryMeter();
  private verdict: Verdict = "taken";
  /** The writer of the entry; undefined until known, and if it is not written. */
  private target: EntryWriter | undefined;
  /** Why the document has no root folder, if a candidate cannot be imported. */
  private noRoot = "";

  constructor(
    private readonly direct: EntryWriter,
    private readonly late: LateEntries,
    private readonly rules: EntryRules,
    private readonly report: ImportReport,
    private readonly most: Quotas,
  ) {}

  begin(kind: Kind): void {
    if (this.place === 0) this.beginEntry();
    this.count(1);
    const { kinds, part, name } = this.value;
    if (kinds && !kinds.includes(kind))
      this.refuseEntry({
        reason: "value",
        value: name,
        why: `this must be of the kind ${kinds.join(" or ")}, not ${kind}`,
      });
    const isFolder = this.head.sent.type === FOLDER;
    if (this.place === DATA && isFolder && kind !== "string" && kind !== "array" && kind !== "null") this.refuseList();
    this.meter.begin(this.place, kind, isFolder);
    if (part) this.head.begin(part, kind);
    else this.target?.cutter.write(SEPARATORS, 1, 2);
  }

  text(chunk: Uint8Array, from: number, to: number): void {
    this.count(to - from);
    const { part, name } = this.value;
    if (part && !this.head.add(part, chunk, from, to))
      this.refuseEntry({ reason: "long", value: name, why: `this is longer than ${LONGEST_PART_BYTES} bytes` });
    if (!part && this.place !== DATA) this.valueBytes += to - from;
    if (this.valueBytes > MOST_VALUE_BYTES)
      this.refuseEntry({ reason: "long", value: name, why: `this is longer than ${MOST_VALUE_BYTES} bytes` });
    if (part || !this.target) return;
    this.meter.text(this.place, chunk, from, to);
    this.target.cutter.write(chunk, from, to);
  }

  end(): void {
    const { part } = this.value;
    this.valueBytes = 0;
    if (part) this.head.end(part);
    if (this.place === LOCATION && this.verdict === "taken") this.judge();
    if (this.place === ID) this.endId();
    if (this.place === DATA && this.target) {
      if (this.meter.children?.isComplete() === false) this.refuseList();
      this.meter.end(this.place);
    }
    this.place = (this.place + 1) % VALUES.length;
    if (this.place === 0) this.endEntry();
  }

  /** Marks the array as complete. */
  finish(): void {
    if (this.place > 0)
      throw invalidDocument(
        `Entry ${this.entries + 1} has only ${this.place} of the ${VALUES.length} values that every entry needs.`,
      );
    if (this.entries === 0)
      throw invalidDocument("The document is empty: it must have at least the user's root folder.");
    if (!this.rules.hasRoot)
      throw invalidDocument(
        this.noRoot || "No entry is the user's root folder: one of the type .folder in origin/(c) users.",
      );
  }

  refuse(why: string): never {
    const where = this.entries + this.place > 0 ? ` (in entry ${this.entries + 1}, ${this.value.name})` : "";
    throw invalidDocument(`This is not a JSON array: ${why}${where}.`);
  }

  private beginEntry(): void {
    if (this.entries >= this.most.entries)
      throw overQuota(this.most.entries, "files and folders, and the document has more");
    this.verdict = "taken";
    this.target = undefined;
    this.head.reset();
  }

  private judge(): void {
    const { sent } = this.head;
    if (this.head.trimLocation()) this.report.note("slash");
    this.verdict = this.rules.judge(sent);
    if (this.verdict !== "taken" && this.verdict !== "late") return;
    this.target = this.verdict === "late" ? this.late.writer : this.direct;
    const isRoot = this.verdict === "taken" && this.rules.isRoot(sent);
    if (isRoot) this.head.change("name", this.rules.storedName(sent.name));
    else if (this.verdict === "taken") this.head.change("location", this.rules.storedLocation(sent.location));
    this.head.write(this.target.cutter, isRoot);
  }

  private endId(): void {
    if (!this.head.isRead("id")) return;
    const refusal = this.rules.id(this.head.sent.id, (why) => {
      throw invalidDocument(`Entry ${this.entries + 1}, id: ${why}.`);
    });
    if (refusal) this.refuseEntry(refusal);
    else if (this.target) this.head.writeId(this.target.cutter);
  }

  private endEntry(): void {
    this.entries++;
    const { sent, stored } = this.head;
    if (this.target === this.direct) {
      const { id, type, name, location } = stored;
      const { size, edited, isBase64 } = this.meter;
      // Not spread: that was measured to leave 700 bytes per entry in memory until the engine collects its whole heap.
      this.direct.found(this.direct.cutter.endEntry(), { id, type, name, location, size, edited, isBase64 });
      if (this.rules.took(sent)) this.report.note("twin");
    } else if (this.target) this.late.endEntry(this.entries);
    else this.refused();
  }

  private refused(): void {
    if (typeof this.verdict === "string") return;
    const { sent } = this.head;
    const sentence = sentenceOf(this.entries, this.verdict);
    this.report.refuse(
      this.entries,
      this.head.isRead("location") ? pathOf(sent) : sent.name,
      this.verdict.reason,
      sentence,
    );
    if (!this.head.isRead("location")) return;
    if (this.rules.isRoot(sent)) this.noRoot ||= `The user's root folder cannot be imported. ${sentence}`;
    this.rules.left(sent);
  }

  private refuseList(): void {
    const why = "a folder's data must be an array of ids, a string that holds one, or null";
    this.refuseEntry({ reason: "list", value: "data", why });
  }

  /** The first reason is reported. */
  private refuseEntry(refusal: Refusal): void {
    if (typeof this.verdict !== "string") return;
    this.verdict = refusal;
    this.target?.dropEntry();
    this.target = undefined;
  }

  private count(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes >= this.most.fileBytes) throw overQuota(this.most.fileBytes, "bytes, and the document has more");
  }

  private get value() {
    return VALUES[this.place] ?? { name: "" };
  }
}
