/** Indenting takes room with the square of the depth: deeper bodies are shown as they came. */
const DEEPEST = 100;

/** A JSON body that is whole is indented; anything else is shown as it came. */
export function shownBody(text: string, isComplete: boolean): string {
  if (!isComplete || depthOf(text) > DEEPEST) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** How deeply brackets are nested. Those in strings count too, which at most leaves a body as it came. */
function depthOf(text: string): number {
  let [depth, deepest] = [0, 0];
  for (const character of text) {
    if (character === "[" || character === "{") deepest = Math.max(deepest, ++depth);
    else if (character === "]" || character === "}") depth--;
  }
  return deepest;
}

/** How much of a body is read, in bytes. The rest is never downloaded: /read-files may send gigabytes. */
export const SHOWN_BYTES = 65_536;

/** Headers that say something about this response. */
const WORTH_SEEING = [
  "content-type",
  "content-length",
  "content-encoding",
  "etag",
  "link",
  "link-expires-in",
  "link-interval",
  "link-secret",
  "retry-after",
  "www-authenticate",
  "x-request-id",
];

export interface Received {
  status: string;
  isSuccess: boolean;
  headers: [string, string][];
  /** Until the body, or its shown part, had arrived. */
  milliseconds: number;
  body: string;
  /** Whether `body` is all of it. */
  isComplete: boolean;
  /** Bytes of the whole body, as sent; undefined if the service did not say. */
  length?: number;
}

/** Sends a request of the reference to this service, and reads the first part of the response. */
export async function send(path: string, headers: Record<string, string>, signal: AbortSignal): Promise<Received> {
  const started = performance.now();
  const response = await fetch(path, { headers, signal, credentials: "omit", cache: "no-store" });
  const { text, isComplete } = await firstPart(response.body);
  const length = response.headers.get("content-length");
  return {
    status: `${response.status} ${response.statusText}`.trim(),
    isSuccess: response.ok,
    headers: WORTH_SEEING.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value] as [string, string]];
    }),
    milliseconds: Math.round(performance.now() - started),
    body: shownBody(text, isComplete),
    isComplete,
    length: length === null ? undefined : Number(length),
  };
}

async function firstPart(body: ReadableStream<Uint8Array> | null): Promise<{ text: string; isComplete: boolean }> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let left = SHOWN_BYTES; ; ) {
    const part = await reader?.read();
    if (!part || part.done) return { text: text + decoder.decode(), isComplete: true };
    text += decoder.decode(part.value.subarray(0, left), { stream: true });
    left -= part.value.length;
    if (left >= 0) continue;
    void reader?.cancel();
    return { text, isComplete: false };
  }
}
