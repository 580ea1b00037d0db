import { asJson, refusalIn, whyFailed } from "@/components/failures";
import { PART_BYTES } from "@/lib/files/schema";
import { bytesOnDevice } from "../file-text";
import { pageUserHeader } from "../page-user";

/** A request that was refused or got no response (status 0). The message is for the user. */
export class RefusedByServer extends Error {
  override name = "Refused";
  /** Seconds after which a retry makes sense; 0 if the service did not say. */
  readonly retryAfter: number;
  /** The complete response body. */
  readonly body: Record<string, unknown>;

  // biome-ignore lint/complexity/useMaxParams: what every error has, then what this one may have.
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    { retryAfter = 0, body = {} }: { retryAfter?: number; body?: Record<string, unknown> } = {},
  ) {
    super(message);
    this.retryAfter = retryAfter;
    this.body = body;
  }
}

interface ServerRequest {
  query?: Record<string, string>;
  body?: Blob | string;
  signal?: AbortSignal;
  /** Called with the number of bytes sent so far. */
  onProgress?: (uploaded: number) => void;
}

/**
 * Requests a route of this page, and returns its JSON. Throws a RefusedByServer, an Unreadable, or the signal's reason.
 * Not with fetch, which does not report upload progress.
 */
export function requestServer<Result>(
  method: string,
  path: string,
  { query, body, signal, onProgress }: ServerRequest = {},
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => {
      request.abort();
      reject(signal?.reason);
    };
    if (signal?.aborted) return reject(signal.reason);
    signal?.addEventListener("abort", abort);
    request.open(method, query ? `${path}?${new URLSearchParams(query)}` : path);
    for (const [name, value] of Object.entries(pageUserHeader())) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => onProgress?.(loaded);
    request.onerror = () => unanswered(body).then(reject, reject);
    request.onload = () => {
      const body = asJson(request.responseText);
      if (request.status === 200 && body) return resolve(body as Result);
      const retryAfter = Number(request.getResponseHeader("Retry-After"));
      const message = refusalIn(request.status, body);
      reject(new RefusedByServer(request.status, String(body?.code ?? ""), message, { retryAfter, body }));
    };
    request.onloadend = () => signal?.removeEventListener("abort", abort);
    request.send(body);
  });
}

/** To the browser, a body that it cannot read is the same as a network that fails. */
async function unanswered(body: Blob | string | undefined): Promise<RefusedByServer> {
  // All of it: a drive may fail in the middle.
  if (body instanceof Blob)
    for (let at = 0; at < body.size; at += PART_BYTES) await bytesOnDevice(body.slice(at, at + PART_BYTES));
  return new RefusedByServer(0, "unreachable", await whyFailed(undefined));
}

/** Seconds to wait before each retry. */
const WAITS = [1, 3, 9, 27];

/**
 * Runs the work, with retries if the connection or the service failed temporarily; `onPause` is called when a pause
 * begins and ends. Throws the last error, or the signal's reason.
 */
export async function withPatience<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  onPause: (isPaused: boolean) => void,
): Promise<T> {
  for (const wait of WAITS) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof RefusedByServer) || !isPassing(error)) throw error;
      onPause(true);
      await pause(Math.max(wait, error.retryAfter), signal);
      onPause(false);
    }
  }
  return work();
}

/** Temporary errors: no response, too many requests, a concurrent writer, the database unavailable. */
export function isPassing({ status, code }: RefusedByServer): boolean {
  return (
    status === 0 ||
    status === 408 ||
    status === 429 ||
    (status === 409 && code !== "name_taken") ||
    (status >= 500 && status !== 507)
  );
}

function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, seconds * 1_000);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

interface OpenedFolder {
  id: string;
  /** It was missing: it has no names to compare with. */
  isNew: boolean;
}

/** The parent folders of uploaded files, each requested once and created if missing. */
export class OpenedFolders {
  private readonly opened = new Map<string, Promise<OpenedFolder>>();

  /** The folder with these names below `target`, outermost first. Throws a RefusedByServer. */
  open(target: string, folders: string[]): Promise<OpenedFolder> {
    const name = folders.at(-1);
    if (name === undefined) return Promise.resolve({ id: target, isNew: false });
    const cacheKey = JSON.stringify([target, folders]);
    const folder = this.opened.get(cacheKey) ?? this.request(target, folders.slice(0, -1), name);
    this.opened.set(cacheKey, folder);
    folder.catch(() => this.opened.delete(cacheKey));
    return folder;
  }

  /** Call this before requesting folders again that were deleted meanwhile. */
  forget(): void {
    this.opened.clear();
  }

  private async request(target: string, around: string[], name: string): Promise<OpenedFolder> {
    const { id: folder } = await this.open(target, around);
    return requestServer("POST", "/files/folders", { query: { folder, name } });
  }
}
