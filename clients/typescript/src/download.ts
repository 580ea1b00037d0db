import { LatchkeyError } from "./errors";
import { backoff, type Connection, open, pause } from "./request";

const PATH = "/read-files";
/** A connection that is silent for longer counts as broken. */
const SILENCE_MS = 60_000;
/** How often in a row a transfer may break without one new byte. */
const MAX_BREAKS = 6;

export interface Begin {
  /** Of what the caller has: nothing is transferred if it is still current. */
  cachedEtag?: string;
  /** Where to continue in the version with this tag. */
  from?: { etag: string; offset: number };
  /** Names a part of the document. */
  query?: Record<string, string | undefined>;
  signal?: AbortSignal;
}

/** The plain form of a document as it arrives. A broken transfer continues where it broke, in the same version. */
export class Download {
  readonly etag: string;
  /** Bytes of the plain form that have arrived. */
  offset: number;
  private body: ReadableStreamDefaultReader<Uint8Array> | undefined;
  /** Bytes of a new response that have arrived before. */
  private skipped = 0;
  private breaks = 0;

  private constructor(
    private readonly connection: Connection,
    { etag, offset }: { etag: string; offset: number },
    private readonly call: Pick<Begin, "query" | "signal">,
  ) {
    this.etag = etag;
    this.offset = offset;
  }

  /** Undefined if the version with the tag `cachedEtag` is still current. Throws `no_files`, `document_changed`. */
  static async begin(connection: Connection, { cachedEtag, from, ...call }: Begin): Promise<Download | undefined> {
    const headers = from
      ? rangeHeaders(from.etag, from.offset)
      : { "If-None-Match": cachedEtag && `${cachedEtag}, ${gzipTag(cachedEtag)}` };
    const response = await open(connection, PATH, { ...call, headers, accepted: [304] });
    if (response.status === 304) return undefined;
    const etag = plainTag(response.headers.get("ETag") ?? "");
    const download = new Download(connection, { etag: from?.etag ?? etag, offset: from?.offset ?? 0 }, call);
    download.accept(response);
    return download;
  }

  /** The next bytes. Only the reader of the document knows where it ends, so reading more than there is throws. */
  async next(): Promise<Uint8Array> {
    for (;;) {
      const chunk = await this.read();
      if (chunk === undefined) {
        if (++this.breaks > MAX_BREAKS)
          throw new LatchkeyError("no_response", `${this.connection.address} does not send the whole document.`);
        await pause(backoff(this.breaks) / 4, this.call.signal);
        await this.resume();
        continue;
      }
      const repeated = Math.min(this.skipped, chunk.length);
      this.skipped -= repeated;
      if (repeated === chunk.length) continue;
      this.breaks = 0;
      this.offset += chunk.length - repeated;
      return chunk.subarray(repeated);
    }
  }

  /** Ends the transfer. */
  async stop(): Promise<void> {
    await this.body?.cancel().catch(() => {});
    this.body = undefined;
  }

  private async resume(): Promise<void> {
    const headers = rangeHeaders(this.etag, this.offset);
    const response = await open(this.connection, PATH, { ...this.call, headers, accepted: [416] });
    if (response.status === 416) throw new LatchkeyError("bad_document", "The document ends too early.");
    this.accept(response);
  }

  private accept({ status, headers, body }: Response): void {
    if (plainTag(headers.get("ETag") ?? "") !== this.etag) {
      void body?.cancel().catch(() => {});
      throw new LatchkeyError("document_changed", "The files changed during the download. Start again.");
    }
    // Without the range, the complete document comes again.
    this.skipped = status === 206 ? 0 : this.offset;
    this.body = (body as ReadableStream<Uint8Array>).getReader();
  }

  /** Undefined if the transfer broke, or ended. */
  private async read(): Promise<Uint8Array | undefined> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const silence = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, SILENCE_MS, undefined);
    });
    try {
      const read = await Promise.race([this.body?.read(), silence]);
      if (read === undefined) await this.stop();
      return read?.value;
    } catch {
      this.call.signal?.throwIfAborted();
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }
}

function rangeHeaders(etag: string, offset: number): Record<string, string> {
  return { Range: `bytes=${offset}-`, "If-Range": etag };
}

/** A compressed form has a tag of its own (the contract, section 3: transfer). */
const gzipTag = (etag: string) => etag.replace(/"$/, '-gzip"');
const plainTag = (etag: string) => etag.replace(/-gzip"$/, '"').replace(/^W\//, "");
