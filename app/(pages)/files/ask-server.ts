import { UNREACHABLE } from "../unreachable";

/** A request that was refused, or got no answer (status 0). The message is for a person. */
export class Refused extends Error {
  override name = "Refused";

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** Seconds after which trying again makes sense, where the service said so. */
    readonly retryAfter = 0,
    /** All that was answered. */
    readonly answer: Record<string, unknown> = {},
  ) {
    super(message);
  }
}

interface Asking {
  query?: Record<string, string>;
  body?: Blob | string;
  signal?: AbortSignal;
  /** Told how many bytes of the body are on their way. */
  onProgress?: (sent: number) => void;
}

/**
 * Asks a route of this page, and answers its JSON. Throws a Refused, or the signal's reason. Not with fetch, which does not
 * tell how much of a body was sent.
 */
export function askServer<Answer>(method: string, path: string, { query, body, signal, onProgress }: Asking = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => {
      request.abort();
      reject(signal?.reason);
    };
    if (signal?.aborted) return reject(signal.reason);
    signal?.addEventListener("abort", abort);
    request.open(method, query ? `${path}?${new URLSearchParams(query)}` : path);
    request.upload.onprogress = ({ loaded }) => onProgress?.(loaded);
    request.onerror = () => reject(new Refused(0, "unreachable", UNREACHABLE));
    request.onload = () => {
      const answer = parse(request.responseText);
      if (request.status === 200 && answer) return resolve(answer as Answer);
      reject(
        new Refused(
          request.status,
          String(answer?.code ?? ""),
          sentence(request.status, answer?.error),
          Number(request.getResponseHeader("Retry-After")),
          answer,
        ),
      );
    };
    request.onloadend = () => signal?.removeEventListener("abort", abort);
    request.send(body);
  });
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What a platform or proxy in front of the service answers holds no sentence of ours. */
function sentence(status: number, sent: unknown): string {
  if (typeof sent === "string") return sent;
  if (status === 413) return "What stands in front of this service does not let so much through in one request.";
  return `The service did not answer as it should (${status}). Try again in a moment.`;
}
