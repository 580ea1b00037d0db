import { fileBytes, textBytes } from "./file-bytes";
import type { JsonFeed } from "./json-feed";

const QUOTE = 0x22;

/** What a document says of an entry behind its data. An import may have brought other values than the pages write. */
export interface EntryDetails {
  x: unknown;
  y: unknown;
  /** Unix milliseconds. */
  created: unknown;
  /** Unix milliseconds. */
  edited: unknown;
  icon: unknown;
  size: unknown;
  permissions: unknown;
  id: string;
}

/** A file or folder of a document that arrives. What of it was not read is skipped when the next one is asked for. */
export class Entry {
  /** The extension with its point, or `.folder`. */
  readonly type: string;
  /** The name without the extension. */
  readonly name: string;
  /** The path of its folder: `origin/(c) users/alice/docs`. */
  readonly location: string;
  private readonly pieces: AsyncGenerator<string, void, undefined>;
  private behind: Promise<EntryDetails> | undefined;

  private constructor(
    private readonly feed: JsonFeed,
    [type, name, location]: readonly unknown[],
    isString: boolean,
  ) {
    this.type = String(type);
    this.name = String(name);
    this.location = String(location);
    this.pieces = isString ? feed.string() : this.isFolder ? feed.skip() : feed.raw();
  }

  /** Reads the beginning of an entry. */
  static async begin(feed: JsonFeed): Promise<Entry> {
    const head: unknown[] = [];
    for (let index = 0; index < 3; index++) {
      head.push(await feed.value());
      await feed.expect(",");
    }
    return new Entry(feed, head, (await feed.peek()) === QUOTE);
  }

  get isFolder(): boolean {
    return this.type === ".folder";
  }

  /** The stored data as it arrives: text, a data: URL, or JSON if it is no string. A folder's list is left out. */
  async *data(): AsyncGenerator<string, void, undefined> {
    // Not delegated: whoever stops in the middle may ask for the details.
    for (let piece = await this.pieces.next(); !piece.done; piece = await this.pieces.next()) yield piece.value;
  }

  /** The stored data as a whole. */
  async text(): Promise<string> {
    const pieces: string[] = [];
    for await (const piece of this.data()) pieces.push(piece);
    return pieces.join("");
  }

  /**
   * The content of the file: text as UTF-8, a data: URL decoded if all of it is valid. Throws `not_base64` if that
   * turns out after 8 million characters; `"text"` takes any data for text.
   */
  bytes(as?: "text"): AsyncGenerator<Uint8Array, void, undefined> {
    return as === "text" ? textBytes(this.data()) : fileBytes(this.data());
  }

  /** What comes after the data, which is skipped if nobody has read it. */
  details(): Promise<EntryDetails> {
    this.behind ??= this.readDetails();
    return this.behind;
  }

  private async readDetails(): Promise<EntryDetails> {
    for await (const _ of this.data());
    const values: unknown[] = [];
    for (let index = 4; index < 14; index++) {
      await this.feed.expect(",");
      values.push(await this.feed.value());
    }
    const [, x, y, , created, edited, icon, size, permissions, id] = values;
    return { x, y, created, edited, icon, size, permissions, id: String(id) };
  }
}
