import { type Begin, Download } from "./download";
import { Entry } from "./entry";
import { JsonFeed } from "./json-feed";
import type { Connection } from "./request";

const CLOSE = 0x5d;

export interface ReadOptions {
  /** The tag of the version that the caller has. */
  etag?: string;
  /** Where to go on in a version that was read in part before: its tag, and an offset from `Entries`. */
  from?: { etag: string; offset: number };
  signal?: AbortSignal;
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
   * `document_changed` if there is another version when it would go on.
   */
  async read({ etag, from, signal }: ReadOptions = {}): Promise<Entries | undefined> {
    const begin: Begin = { cachedEtag: etag, from: from && from.offset > 0 ? from : undefined, signal };
    const download = await Download.begin(this.connection, begin);
    return download && new Entries(download);
  }
}
