import { MAX_PART_BYTES } from "@/lib/platform/bounds";
import type { Quotas } from "@/lib/platform/limits/quotas";
import type { Appender } from "../change/rewriter";
import { copyBytes, EntryMeter } from "../document/content";
import { DATA, type EntryHead, FOLDER, type HeadPart, ID, LOCATION, pathOf } from "../document/entry";
import type { Elements, Kind } from "../document/json-scanner";
import { invalidDocument, overQuota } from "../errors";
import type { PieceCutter } from "../pieces/piece";
import type { LateEntries } from "./late-entries";
import { type ImportChecks, type Refusal, sentenceOf, VALUES, type Verdict } from "./rules";

const SEPARATORS = Buffer.from("[,");
const PARTS: readonly HeadPart[] = ["type", "name", "location", "id"];

/** The JSON text of one part as received, in memory that is reused for every entry. */
class PartText {
  readonly bytes = Buffer.allocUnsafeSlow(MAX_PART_BYTES);
  length = 0;
  isRead = false;
  /** The text stored instead. */
  changed: Buffer | undefined;
}

/** Holds the parts of one entry while it is read: as received, and as stored. */
class IncomingHead {
  readonly original: EntryHead = { type: "", name: "", location: "", id: "" };
  readonly stored: EntryHead = { type: "", name: "", location: "", id: "" };
  private readonly texts = { type: new PartText(), name: new PartText(), location: new PartText(), id: new PartText() };
  private fits = true;

  reset(): void {
    for (const part of PARTS) {
      this.original[part] = this.stored[part] = "";
      this.texts[part].isRead = false;
    }
  }

  begin(part: HeadPart, kind: Kind): void {
    this.texts[part].length = 0;
    this.texts[part].changed = undefined;
    this.fits = kind === "string";
  }

  /** Whether there is space for these bytes. */
  add(part: HeadPart, chunk: Uint8Array, from: number, to: number): boolean {
    if (!this.fits) return true;
    const text = this.texts[part];
    this.fits = text.length + to - from <= MAX_PART_BYTES;
    if (!this.fits) return false;
    copyBytes(chunk, from, to, text.bytes, text.length);
    text.length += to - from;
    return true;
  }

  end(part: HeadPart): void {
    if (!this.fits) return;
    const text = this.texts[part];
    text.isRead = true;
    this.original[part] = this.stored[part] = String(JSON.parse(text.bytes.toString("utf8", 0, text.length)));
  }

  /** Whether this part was a string and is held. */
  isRead(part: HeadPart): boolean {
    return this.texts[part].isRead;
  }

  /** Removes trailing slashes from the location. Returns whether there were any. */
  trimLocation(): boolean {
    const { location } = this.original;
    let end = location.length;
    while (location[end - 1] === "/") end--;
    if (end === location.length) return false;
    this.original.location = location.slice(0, end);
    this.change("location", this.original.location);
    return true;
  }

  /** Sets the text stored instead of a part. */
  change(part: "name" | "location", value: string): void {
    if (value === this.stored[part]) return;
    this.stored[part] = value;
    this.texts[part].changed = Buffer.from(JSON.stringify(value));
  }

  /** Writes a part. `isFirst`: it is the first value of the document. */
  write(cutter: PieceCutter, part: HeadPart, isFirst = false): void {
    const { bytes, length, changed } = this.texts[part];
    cutter.write(SEPARATORS, isFirst ? 0 : 1, isFirst ? 1 : 2);
    cutter.write(changed ?? bytes, 0, changed?.length ?? length);
  }
}

/** The longest value but data: clients hold it in memory. */
const MAX_VALUE_BYTES = 1_048_576;
/**
 * Reads the values of a document one after another. Refuses invalid documents (400 `invalid_document`) and those too
 * large (403 `files_limit`). Writes the text to be stored: every value as received, except for the user's name in the
 * root's name and in the locations, and trailing slashes of these. An entry that cannot be imported is not written; one
 * that comes before its folder is written to `late`.
 */
export class IncomingDocument implements Elements {
  /** Complete entries. */
  entries = 0;
  /** Bytes of JSON text so far, for all entries. */
  private bytes = 0;
  private position = 0;
  private valueBytes = 0;
  private readonly head = new IncomingHead();
  private readonly meter = new EntryMeter();
  private verdict: Verdict = "accepted";
  /** The writer of the entry; undefined until determined, and if it is not written. */
  private target: Appender | undefined;
  /** Why the document has no root folder, if a candidate cannot be imported. */
  private noRoot = "";

  constructor(
    private readonly writers: { direct: Appender; late: LateEntries },
    private readonly checks: ImportChecks,
    private readonly quotas: Quotas,
  ) {}

  begin(kind: Kind): void {
    if (this.position === 0) this.beginEntry();
    this.count(1);
    const { kinds, part, name } = this.value;
    if (kinds && !kinds.includes(kind))
      this.refuseEntry({
        reason: "value",
        value: name,
        why: `this must be of the kind ${kinds.join(" or ")}, not ${kind}`,
      });
    const isFolder = this.head.original.type === FOLDER;
    if (this.position === DATA && isFolder && kind !== "string" && kind !== "array" && kind !== "null")
      this.refuseList();
    this.meter.begin(this.position, kind, isFolder);
    if (part) this.head.begin(part, kind);
    else this.target?.cutter.write(SEPARATORS, 1, 2);
  }

  text(chunk: Uint8Array, from: number, to: number): void {
    this.count(to - from);
    const { part, name } = this.value;
    if (part && !this.head.add(part, chunk, from, to))
      this.refuseEntry({ reason: "long", value: name, why: `this is longer than ${MAX_PART_BYTES} bytes` });
    if (!part && this.position !== DATA) this.valueBytes += to - from;
    if (this.valueBytes > MAX_VALUE_BYTES)
      this.refuseEntry({ reason: "long", value: name, why: `this is longer than ${MAX_VALUE_BYTES} bytes` });
    if (part || !this.target) return;
    this.meter.text(this.position, chunk, from, to);
    this.target.cutter.write(chunk, from, to);
  }

  end(): void {
    const { part } = this.value;
    this.valueBytes = 0;
    if (part) this.head.end(part);
    if (this.position === LOCATION && this.verdict === "accepted") this.checkHead();
    if (this.position === ID) this.endId();
    if (this.position === DATA && this.target) {
      if (this.meter.children?.isComplete() === false) this.refuseList();
      this.meter.end(this.position);
    }
    this.position = (this.position + 1) % VALUES.length;
    if (this.position === 0) this.endEntry();
  }

  /** Marks the array as complete. */
  finish(): void {
    if (this.position > 0)
      throw invalidDocument(
        `Entry ${this.entries + 1} has only ${this.position} of the ${VALUES.length} values that every entry needs.`,
      );
    if (this.entries === 0)
      throw invalidDocument("The document is empty: it must have at least the user's root folder.");
    if (!this.checks.rules.hasRoot)
      throw invalidDocument(
        this.noRoot || "No entry is the user's root folder: one of the type .folder in origin/(c) users.",
      );
  }

  refuse(why: string): never {
    const where = this.entries + this.position > 0 ? ` (in entry ${this.entries + 1}, ${this.value.name})` : "";
    throw invalidDocument(`This is not a JSON array: ${why}${where}.`);
  }

  private beginEntry(): void {
    if (this.entries >= this.quotas.entries)
      throw overQuota(this.quotas.entries, "entry", ", and the document has more");
    this.verdict = "accepted";
    this.target = undefined;
    this.head.reset();
  }

  private checkHead(): void {
    const { original } = this.head;
    const { rules, report } = this.checks;
    if (this.head.trimLocation()) report.note("slash");
    this.verdict = rules.check(original);
    if (this.verdict !== "accepted" && this.verdict !== "late") return;
    this.target = this.verdict === "late" ? this.writers.late.writer : this.writers.direct;
    const isRoot = this.verdict === "accepted" && rules.isRoot(original);
    if (isRoot) this.head.change("name", rules.storedName(original.name));
    else if (this.verdict === "accepted") this.head.change("location", rules.storedLocation(original.location));
    this.head.write(this.target.cutter, "type", isRoot);
    this.head.write(this.target.cutter, "name");
    this.head.write(this.target.cutter, "location");
  }

  private endId(): void {
    if (!this.head.isRead("id")) return;
    const refusal = this.checks.rules.id(this.head.original.id, (why) => {
      throw invalidDocument(`Entry ${this.entries + 1}, id: ${why}.`);
    });
    if (refusal) this.refuseEntry(refusal);
    else if (this.target) this.head.write(this.target.cutter, "id");
  }

  private endEntry(): void {
    this.entries++;
    const { direct, late } = this.writers;
    const { original, stored } = this.head;
    if (this.target === direct) {
      const { id, type, name, location } = stored;
      const { size, edited, isBase64 } = this.meter;
      // Not spread: that was measured to leave 700 bytes per entry in memory until the engine collects its entire heap.
      direct.addToIndex(direct.cutter.endEntry(), { id, type, name, location, size, edited, isBase64 });
      if (this.checks.rules.accept(original)) this.checks.report.note("twin");
    } else if (this.target) late.endEntry(this.entries);
    else this.refused();
  }

  private refused(): void {
    if (typeof this.verdict === "string") return;
    const { original } = this.head;
    const { rules, report } = this.checks;
    const sentence = sentenceOf(this.entries, this.verdict);
    const path = this.head.isRead("location") ? pathOf(original) : original.name;
    report.refuse(this.verdict.reason, { entry: this.entries, path, sentence });
    if (!this.head.isRead("location")) return;
    if (rules.isRoot(original)) this.noRoot ||= `The user's root folder cannot be imported. ${sentence}`;
    rules.reject(original);
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
    if (this.bytes >= this.quotas.fileBytes)
      throw overQuota(this.quotas.fileBytes, "byte", ", and the document has more");
  }

  private get value() {
    return VALUES[this.position] ?? { name: "" };
  }
}
