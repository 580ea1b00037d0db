import { ChildList, type ListChange } from "./child-list";
import { ContentMeter } from "./content-meter";
import type { Kind } from "./json-scanner";

/** Places among the 14 values of an entry (contract, section 3), counted from 0. */
export const TYPE = 0;
export const NAME = 1;
export const LOCATION = 2;
export const DATA = 3;
export const EDITED = 9;
export const SIZE = 11;
export const ID = 13;
export const VALUES_PER_ENTRY = 14;

/** More than any number needs. */
const MOST_EDITED_BYTES = 40;

/** Finds out what the index keeps of an entry while the JSON text of its values passes, beside its parts. */
export class EntryMeter {
  size = 0;
  isBase64 = false;
  edited = "";
  /** The children that a folder names, where the entry is one. */
  children: ChildList | undefined;
  private readonly content = new ContentMeter();
  /** Of data that is no string: its JSON text is the content. */
  private isText = false;
  private textBytes = 0;

  begin(place: number, kind: Kind, isFolder: boolean, change?: ListChange): void {
    if (place === 0) this.edited = "";
    if (place !== DATA) return;
    this.children = isFolder ? new ChildList(kind === "string", change) : undefined;
    this.isText = kind !== "string";
    this.textBytes = 0;
  }

  /** `offset`: of the chunk's first byte in the text that is read. */
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
