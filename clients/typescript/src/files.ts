import { type Begin, Download } from "./download";
import { Entry } from "./entry";
import { LatchkeyError } from "./errors";
import { JsonFeed } from "./json-feed";
import type { Cancellable } from "./keys";
import type { Connection } from "./request";

const CLOSE = 0x5d;

export interface ReadOptions {
  /** The tag of the version that the caller has. */
  etag?: string;
  /** Where to go on in a version that was read in part before: its tag, and an offset from `Entries`. */
  from?: { etag: string; offset: number };
  /** The path or the id of a folder: only that folder and everything below it. */
  under?: string;
  signal?: AbortSignal;
}

export type PathOrId = { path: string; id?: never } | { id: string; path?: never };

/** An entry of an index: everything about it but its data. */
export type IndexEntry = Omit<Entry, "data" | "text" | "bytes">;

/** What is stored, without the data of files. It can be gone through once. */
export interface Index extends AsyncIterable<IndexEntry> {
  readonly etag: string;
}

/** The entries of a document, parents before children, while it arrives. They can be gone through once. */
export class Entries implements AsyncIterable<Entry> {
  private readonly feed: JsonFeed;
  private readonly isContinued: boolean;

  constructor(private readonly download: Download) {
    this.feed = new JsonFeed(download);
    this.isContinued = download.offset > 0;
  }

  /** The tag of this version: keep it with what was read. */
  get etag(): string {
    return this.download.etag;
  }

  /** Behind an entry whose details were read: where another program can go on. */
  get offset(): number {
    return this.feed.offset;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Entry, void, undefined> {
    try {
      let isFirst = !this.isContinued;
      if (isFirst) await this.feed.expect("[");
      for (; ; isFirst = false) {
        if (isFirst && (await this.feed.peek()) === CLOSE) return;
        if (!isFirst && (await this.feed.expect(",", "]")) === "]") return;
        const entry = await Entry.begin(this.feed);
        yield entry;
        await entry.details();
      }
    } finally {
      await this.download.stop();
    }
  }
}

/** The files of the user. */
export class Files {
  constructor(private readonly connection: Connection) {}

  /**
   * The entries of everything that the user has stored, in memory that does not grow with them. Undefined if `etag` is
   * still current. A broken transfer goes on where it broke. Throws `no_files` before anything was stored, and
   * `document_changed` if there is another version when it would go on. With `under`, throws `no_such_entry`, and
   * `invalid_parameter` for a file.
   */
  read({ etag, from, under, signal }: ReadOptions = {}): Promise<Entries | undefined> {
    const begin = from && from.offset > 0 ? from : undefined;
    return this.entries({ cachedEtag: etag, from: begin, query: { under }, signal });
  }

  /** The same without the data of files, which is not transferred. */
  index({ etag, under, signal }: Omit<ReadOptions, "from"> = {}): Promise<Index | undefined> {
    return this.entries({ cachedEtag: etag, query: { under, only: "index" }, signal });
  }

  /**
   * One file or folder, by its path (`docs/letter.txt`) or its id. Read it to its details, or abort `signal`. Throws
   * `no_such_entry`, and `no_files` before anything was stored.
   */
  async get({ path, id }: PathOrId, { signal }: Cancellable = {}): Promise<Entry> {
    // Without either, the service would send everything.
    if ((path ?? id) === undefined) throw new TypeError("An entry needs a path or an id.");
    const entries = await this.entries({ query: { path, id }, signal });
    const entry = (await entries?.[Symbol.asyncIterator]().next())?.value;
    if (!entry) throw new LatchkeyError("bad_document", "The document has no entry.");
    return entry;
  }

  private async entries(begin: Begin): Promise<Entries | undefined> {
    const download = await Download.begin(this.connection, begin);
    return download && new Entries(download);
  }
}
