import { LONGEST_PART_BYTES } from "@/lib/stated-bounds";
import { copyBytes } from "../document/copy-bytes";
import type { EntryHead, HeadPart } from "../document/entry";
import type { Kind } from "../document/json-scanner";
import type { PieceCutter } from "../pieces/cutter";

const SEPARATORS = Buffer.from("[,");
const PARTS: readonly HeadPart[] = ["type", "name", "location", "id"];

/** The JSON text of one part as sent, in memory that is reused for every entry. */
class PartText {
  readonly bytes = Buffer.allocUnsafeSlow(LONGEST_PART_BYTES);
  length = 0;
  isRead = false;
  /** The text stored instead. */
  changed: Buffer | undefined;
}

/** Holds the parts of one entry while it is read: as sent, and as stored. */
export class IncomingHead {
  readonly sent: EntryHead = { type: "", name: "", location: "", id: "" };
  readonly stored: EntryHead = { type: "", name: "", location: "", id: "" };
  private readonly texts = { type: new PartText(), name: new PartText(), location: new PartText(), id: new PartText() };
  private isWhole = true;

  reset(): void {
    for (const part of PARTS) {
      this.sent[part] = this.stored[part] = "";
      this.texts[part].isRead = false;
    }
  }

  begin(part: HeadPart, kind: Kind): void {
    this.texts[part].length = 0;
    this.texts[part].changed = undefined;
    this.isWhole = kind === "string";
  }

  /** Whether there is room for these bytes. */
  add(part: HeadPart, chunk: Uint8Array, from: number, to: number): boolean {
    if (!this.isWhole) return true;
    const text = this.texts[part];
    this.isWhole = text.length + to - from <= LONGEST_PART_BYTES;
    if (!this.isWhole) return false;
    copyBytes(chunk, from, to, text.bytes, text.length);
    text.length += to - from;
    return true;
  }

  end(part: HeadPart): void {
    if (!this.isWhole) return;
    const text = this.texts[part];
    text.isRead = true;
    this.sent[part] = this.stored[part] = String(JSON.parse(text.bytes.toString("utf8", 0, text.length)));
  }

  /** Whether this part was a string and is held. */
  isRead(part: HeadPart): boolean {
    return this.texts[part].isRead;
  }

  /** Removes trailing slashes from the location. Returns whether there were any. */
  trimLocation(): boolean {
    const { location } = this.sent;
    let end = location.length;
    while (location[end - 1] === "/") end--;
    if (end === location.length) return false;
    this.sent.location = location.slice(0, end);
    this.change("location", this.sent.location);
    return true;
  }

  /** Sets the text stored instead of a part. */
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

  private writePart(cutter: PieceCutter, part: HeadPart, isFirst: boolean): void {
    const { bytes, length, changed } = this.texts[part];
    cutter.write(SEPARATORS, isFirst ? 0 : 1, isFirst ? 1 : 2);
    cutter.write(changed ?? bytes, 0, changed?.length ?? length);
  }
}
