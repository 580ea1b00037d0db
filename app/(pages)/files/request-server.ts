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
