import { env } from "@/lib/env";
import { copyBytes } from "./copy";
import { DATA, EntryMeter } from "./entry-meter";
import { EntryRules, FOLDER, type Part } from "./entry-rules";
import { filesLimit, invalidDocument } from "./errors";
import type { EntryFacts, Place } from "./index-entry";
import type { Elements, Kind } from "./json-scanner";
import type { PieceCutter } from "./pieces";

/** One of the 14 values of an entry: its name in a refusal, of which kinds it may be, and whether the rules between entries ask for it. */
interface Value {
  name: string;
  kinds?: readonly Kind[];
  part?: Part;
}

const STRING: readonly Kind[] = ["string"];
/** Stored documents hold all of these where they hold no number. */
const NUMBER: readonly Kind[] = ["number", "string", "null"];

/** Contract, section 3. What is unused may be anything. */
const VALUES: readonly Value[] = [
  { name: "type", kinds: STRING, part: "type" },
  { name: "name", kinds: STRING, part: "name" },
  { name: "location", kinds: STRING, part: "location" },
  { name: "data", kinds: ["string", "array"] },
  { name: "value 5" },
  { name: "x", kinds: NUMBER },
  { name: "y", kinds: NUMBER },
  { name: "value 8" },
  { name: "created", kinds: NUMBER },
  { name: "edited", kinds: NUMBER },
  { name: "icon" },
  { name: "size", kinds: NUMBER },
  { name: "permissions", kinds: ["array", "string", "null"] },
  { name: "id", kinds: STRING, part: "id" },
];

/** Of a part's JSON text: parts are held in memory, other values only pass. */
const MOST_PART_BYTES = 64 * 1024;
const SEPARATORS = Buffer.from("[,");

/**
 * Takes the values of a document one after another, refuses what is no document (400 `invalid_document`) or too large
 * (403 `files_limit`), and writes the text that is to be stored: every value as it was sent, but for the user's name in
 * the root's name and in the locations.
 */
export class DocumentReader implements Elements {
  /** Entries that are complete. */
  entries = 0;
  /** Bytes of JSON text so far. */
  bytes = 0;
  private place = 0;
  private readonly rules: EntryRules;
  private readonly part = Buffer.allocUnsafeSlow(MOST_PART_BYTES);
  private partBytes = 0;
  private readonly meter = new EntryMeter();
  /** The parts as they are stored. */
  private readonly stored: Record<Part, string> = { type: "", name: "", location: "", id: "" };

  /** `found` is told each entry that is complete. */
  constructor(
    username: string,
    private readonly cutter: PieceCutter,
    private readonly found: (place: Place, facts: EntryFacts) => void,
  ) {
    this.rules = new EntryRules(username, (why) => this.refuseValue(why));
  }

  begin(kind: Kind): void {
    const { kinds } = this.value;
    const isFolder = this.rules.entry.type === FOLDER;
    if (kinds && !kinds.includes(kind)) this.refuseValue(`this must be of the kind ${kinds.join(" or ")}, not ${kind}`);
    if (this.place === DATA && kind === "array" && !isFolder) this.refuseValue("only a folder's data can be an array");
    if (this.place === 0 && this.entries === env.FILE_ENTRIES_PER_USER)
      throw filesLimit(
        `There is room for ${env.FILE_ENTRIES_PER_USER.toLocaleString("en")} files and folders, and the document has more. Nothing was changed.`,
      );
    this.meter.begin(this.place, kind, isFolder);
    this.partBytes = 0;
    const isFirst = this.entries === 0 && this.place === 0;
    this.write(SEPARATORS, isFirst ? 0 : 1, isFirst ? 1 : 2);
  }

  text(chunk: Uint8Array, from: number, to: number): void {
    if (!this.value.part) {
      this.meter.text(this.place, chunk, from, to);
      this.write(chunk, from, to);
      return;
    }
    if (this.partBytes + to - from > MOST_PART_BYTES) this.refuseValue(`this is longer than ${MOST_PART_BYTES} bytes`);
    copyBytes(chunk, from, to, this.part, this.partBytes);
    this.partBytes += to - from;
  }

  end(): void {
    if (this.value.part) this.endPart(this.value.part);
    if (this.place === DATA && this.meter.children?.isComplete() === false)
      this.refuseValue("a folder's data must be an array of ids, or a string that holds one");
    this.meter.end(this.place);
    this.place = (this.place + 1) % VALUES.length;
    if (this.place > 0) return;
    this.entries++;
    const { type, name, location, id } = this.stored;
    const { size, edited, isBase64 } = this.meter;
    this.found(this.cutter.endEntry(), { id, type, name, location, size, edited, isBase64 });
  }

  /** Says that the array is complete. */
  finish(): void {
    if (this.place > 0) throw invalidDocument(`Entry ${this.entries + 1} has only ${this.place} of the ${VALUES.length} values that every entry needs.`);
    if (this.entries === 0) throw invalidDocument("The document is empty: it must have at least the user's root folder.");
  }

  refuse(why: string): never {
    const where = this.entries + this.place > 0 ? ` (in entry ${this.entries + 1}, ${this.value.name})` : "";
    throw invalidDocument(`This is not a JSON array: ${why}${where}.`);
  }

  private endPart(part: Part): void {
    const sent = String(JSON.parse(this.part.toString("utf8", 0, this.partBytes)));
    const stored = this.rules.take(part, sent);
    this.stored[part] = stored;
    if (stored === sent) this.write(this.part, 0, this.partBytes);
    else {
      const text = Buffer.from(JSON.stringify(stored));
      this.write(text, 0, text.length);
    }
  }

  private write(chunk: Uint8Array, from: number, to: number): void {
    this.bytes += to - from;
    if (this.bytes >= env.FILE_BYTES_PER_USER)
      throw filesLimit(`There is room for ${env.FILE_BYTES_PER_USER.toLocaleString("en")} bytes, and the document has more. Nothing was changed.`);
    this.cutter.write(chunk, from, to);
  }

  private refuseValue(why: string): never {
    throw invalidDocument(`Entry ${this.entries + 1}, ${this.value.name}: ${why}.`);
  }

  private get value(): Value {
    return VALUES[this.place] ?? { name: "" };
  }
}
