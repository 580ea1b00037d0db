import { ChildList, type ListChange } from "./child-list";
import { ContentMeter } from "./content-meter";
import { DATA, EDITED } from "./entry";
import type { Kind } from "./json-scanner";

/** More bytes than any number needs. */
const MOST_EDITED_BYTES = 40;

/** Collects the index fields of an entry, other than its parts, as the JSON text of its values streams by. */
export class EntryMeter {
  size = 0;
  isBase64 = false;
  edited = "";
  /** The listed children, if the entry is a folder. */
  children: ChildList | undefined;
  private readonly content = new ContentMeter();
  /** For data that is not a string: its JSON text is the content. */
  private isText = false;
  private textBytes = 0;

  begin(place: number, kind: Kind, isFolder: boolean, change?: ListChange): void {
    if (place === 0) this.edited = "";
    if (place !== DATA) return;
    this.children = isFolder ? new ChildList(kind === "string", change) : undefined;
    this.isText = kind !== "string";
    this.textBytes = 0;
  }

  /** `offset`: position of the chunk's first byte in the text. */
  text(place: number, chunk: Uint8Array, from: number, to: number, offset = 0): void {
    if (place === DATA && this.children) this.children.add(chunk, from, to, offset);
    else if (place === DATA && this.isText) this.textBytes += to - from;
    else if (place === DATA) this.content.add(chunk, from, to);
    else if (place === EDITED) this.addEdited(chunk, from, to);
  }

  end(place: number): void {
    if (place !== DATA) return;
    const bytes = this.children?.count ?? this.textBytes;
    const content = this.children || this.isText ? { bytes, isBase64: false } : this.content.end();
    this.size = content.bytes;
    this.isBase64 = content.isBase64;
  }

  private addEdited(chunk: Uint8Array, from: number, to: number): void {
    const room = MOST_EDITED_BYTES - this.edited.length;
    for (let i = from; i < Math.min(to, from + room); i++) this.edited += String.fromCharCode(chunk[i] ?? 0);
  }
}
