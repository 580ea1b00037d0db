import { copyBytes } from "./copy";
import type { Head, Part } from "./entry-rules";
import type { Kind } from "./json-scanner";
import type { PieceCutter } from "./pieces";

/** Of a part's JSON text: parts are held in memory, other values only pass. */
const MOST_PART_BYTES = 64 * 1024;
const SEPARATORS = Buffer.from("[,");
const PARTS: readonly Part[] = ["type", "name", "location", "id"];

/** The JSON text of one part as it was sent, in memory that is used again for every entry. */
class PartText {
  readonly bytes = Buffer.allocUnsafeSlow(MOST_PART_BYTES);
  length = 0;
  isRead = false;
  /** What is stored in its place. */
  changed: Buffer | undefined;
}

/** Holds the parts of one entry while it is read: as they were sent, and as they are to be stored. */
export class EntryHeadReader {
  readonly sent: Head = { type: "", name: "", location: "", id: "" };
  readonly stored: Head = { type: "", name: "", location: "", id: "" };
  private readonly texts = { type: new PartText(), name: new PartText(), location: new PartText(), id: new PartText() };
  private isWhole = true;

  reset(): void {
    for (const part of PARTS) {
      this.sent[part] = this.stored[part] = "";
      this.texts[part].isRead = false;
    }
  }

  begin(part: Part, kind: Kind): void {
    this.texts[part].length = 0;
    this.texts[part].changed = undefined;
    this.isWhole = kind === "string";
  }

  /** Whether there is room for these bytes. */
  add(part: Part, chunk: Uint8Array, from: number, to: number): boolean {
    if (!this.isWhole) return true;
    const text = this.texts[part];
    this.isWhole = text.length + to - from <= MOST_PART_BYTES;
    if (!this.isWhole) return false;
    copyBytes(chunk, from, to, text.bytes, text.length);
    text.length += to - from;
    return true;
  }

  end(part: Part): void {
    if (!this.isWhole) return;
    const text = this.texts[part];
    text.isRead = true;
    this.sent[part] = this.stored[part] = String(JSON.parse(text.bytes.toString("utf8", 0, text.length)));
  }

  /** Whether this part was a string that is held. */
  isRead(part: Part): boolean {
    return this.texts[part].isRead;
  }

  /** Takes slashes from the end of the location. Answers whether there were any. */
  trimLocation(): boolean {
    const { location } = this.sent;
    let end = location.length;
    while (location[end - 1] === "/") end--;
    if (end === location.length) return false;
    this.sent.location = location.slice(0, end);
    this.change("location", this.sent.location);
    return true;
  }

  /** Says what is stored in place of a part. */
  change(part: "name" | "location", value: string): void {
    if (value === this.stored[part]) return;
    this.stored[part] = value;
    this.texts[part].changed = Buffer.from(JSON.stringify(value));
  }

  /** Writes the first three values of an entry. */
  write(cutter: PieceCutter, isFirst: boolean): void {
    this.writePart(cutter, "type", isFirst);
    this.writePart(cutter, "name", false);
    this.writePart(cutter, "location", false);
  }

  /** Writes the last value. */
  writeId(cutter: PieceCutter): void {
    this.writePart(cutter, "id", false);
  }

  private writePart(cutter: PieceCutter, part: Part, isFirst: boolean): void {
    const { bytes, length, changed } = this.texts[part];
    cutter.write(SEPARATORS, isFirst ? 0 : 1, isFirst ? 1 : 2);
    cutter.write(changed ?? bytes, 0, changed?.length ?? length);
  }
}
