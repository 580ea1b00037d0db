import { ApiError } from "@/lib/platform/errors";
import { perProcess } from "@/lib/platform/process";
import { type Guest, Room } from "@/lib/platform/queue";
import { invalidDocument } from "../errors";

/** Concurrent imports per process: each needs a few MB, and another 16 bytes per entry. */
const MAX_IMPORTS = 8;
/** Concurrent imports per network: a user with many accounts leaves slots to others. */
const MAX_OF_NETWORK = 4;
const RETRY_AFTER_SECONDS = 30;

/**
 * When a slot is reassigned: it was held for longer than `graceMs`, and its client sent fewer than `leastBytes`
 * per second of waiting for it. A client that is slow because of the service retains its slot. (To arrive
 * within the six hours allowed, a document of the largest usual size needs three times this rate.)
 */
export const SLOTS = { graceMs: 30_000, leastBytes: 32 * 1024 };

/** The names of an import: its user, and its source network, if it was determined. */
const importing = perProcess(
  "imports",
  () =>
    new Room<Slot>({
      ofName: [{ count: 1 }, { count: MAX_OF_NETWORK }],
      ofAll: { count: MAX_IMPORTS },
      yields: (slots, position) => (position === 0 ? undefined : slowest(slots)),
      refusal: (position) => (position === 0 ? importRunning() : tooManyImports()),
    }),
);

interface Admission {
  network?: string;
  /** The work after the document has arrived: it needs the slot too, which can then no longer be reassigned. */
  complete: () => Promise<void>;
}

/**
 * Passes the document through if no other one of this user is being imported here and a slot is free. If all slots are
 * in use, the slowest client loses its slot. Throws 409 `import_running`, 503 `too_many_imports`, and 408 `too_slow` if
 * the slot was reassigned.
 */
export async function* admitted(
  userId: string,
  source: AsyncIterable<Uint8Array>,
  { network, complete }: Admission,
): AsyncGenerator<Uint8Array> {
  const eviction = new AbortController();
  const slot: Slot = {
    names: network === undefined ? [userId] : [userId, network],
    began: performance.now(),
    arrived: 0,
    waitedMs: 0,
    waitsSince: undefined,
    eviction,
    cut: () => eviction.abort(tooSlow()),
  };
  try {
    importing.enter(slot);
  } catch (refusal) {
    // Reads the source to its end first: a request's body is read before the response is sent.
    for await (const _ of source) throw refusal;
    throw refusal;
  }
  try {
    yield* received(source, slot);
    await complete();
  } finally {
    importing.leave(slot);
  }
}

/** Whose slot is reassigned: the slowest one, if it is too slow. */
function slowest(slots: ReadonlySet<Slot>): Slot | undefined {
  const now = performance.now();
  const slow = [...slots].filter((slot) => now - slot.began > SLOTS.graceMs && rateOf(slot, now) < SLOTS.leastBytes);
  return slow.sort((a, b) => rateOf(a, now) - rateOf(b, now))[0];
}

/** Bytes per second of waiting for the client. */
function rateOf({ arrived, waitedMs, waitsSince }: Slot, now: number): number {
  return (arrived * 1_000) / Math.max(1, waitedMs + (waitsSince === undefined ? 0 : now - waitsSince));
}

const importRunning = () =>
  new ApiError(
    409,
    "import_running",
    "You are already importing another document. Nothing was changed; try again when it has finished.",
  );
const tooManyImports = () =>
  new ApiError(
    503,
    "too_many_imports",
    "Too many documents are being imported right now. Nothing was changed; try again in a minute.",
    {
      headers: {
        "Retry-After": String(RETRY_AFTER_SECONDS),
      },
    },
  );
const tooSlow = () =>
  new ApiError(
    408,
    "too_slow",
    "Your document is arriving slowly, and others are waiting to import theirs. Nothing was changed; try again " +
      "later, or over a faster connection.",
  );

/** Bytes of the longest byte order mark (BOM), that of UTF-8. */
const BOM_BYTES = 3;

/**
 * The document's JSON as UTF-8 without a byte order mark, which editors and spreadsheets add. UTF-16, as PowerShell
 * writes it, is decoded: JSON begins with a character of ASCII, so one of its first two bytes is a zero. Throws 400
 * `invalid_document` for UTF-16 that is not valid, or what `source` throws.
 */
export async function* asUtf8(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let begin: Uint8Array | undefined = new Uint8Array();
  let decoder: TextDecoder | undefined;
  const decoded = (bytes?: Uint8Array) => {
    try {
      return Buffer.from(decoder?.decode(bytes, { stream: bytes !== undefined }) ?? "");
    } catch {
      throw invalidDocument("This is UTF-16 text with invalid characters. Save it again with the encoding UTF-8.");
    }
  };
  for await (const chunk of source) {
    let bytes = chunk;
    if (begin) {
      bytes = Buffer.concat([begin, chunk]);
      begin = bytes.length < BOM_BYTES ? bytes : undefined;
      if (begin) continue;
      const encoding = encodingOf(bytes);
      if (encoding === "utf-8") bytes = withoutBom(bytes);
      // It removes the BOM by itself.
      else decoder = new TextDecoder(encoding, { fatal: true });
    }
    yield decoder ? decoded(bytes) : bytes;
  }
  yield begin ?? decoded();
}

function encodingOf([first, second]: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if ((first === 0xff && second === 0xfe) || second === 0) return "utf-16le";
  return (first === 0xfe && second === 0xff) || first === 0 ? "utf-16be" : "utf-8";
}

function withoutBom(bytes: Uint8Array): Uint8Array {
  const [first, second, third] = bytes;
  return first === 0xef && second === 0xbb && third === 0xbf ? bytes.subarray(BOM_BYTES) : bytes;
}

/** The slot of a running import. */
export interface Slot extends Guest {
  began: number;
  /** Approximate bytes received in the last `WINDOW_MS`, and how much of that time was spent waiting for the client. */
  arrived: number;
  waitedMs: number;
  /** Unset while the client waits for the service. */
  waitsSince: number | undefined;
  /** Aborted with the refusal when the slot is reassigned. */
  eviction: AbortController;
}

/** Older values are halved in each such window: a client that was fast once is not fast for ever. */
const WINDOW_MS = 60_000;

/**
 * Passes the chunks through and measures the sender's speed. If the slot is reassigned, throws the reason without
 * waiting for the sender.
 */
export async function* received(source: AsyncIterable<Uint8Array>, slot: Slot): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  const { signal } = slot.eviction;
  let isOver = false;
  // No Promise.race with a long-lived promise: it would hold every chunk until the end.
  let refuse: (reason: unknown) => void = () => {};
  signal.addEventListener("abort", () => refuse(signal.reason), { once: true });
  try {
    for (;;) {
      const since = performance.now();
      slot.waitsSince = since;
      const next = await new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
        refuse = reject;
        signal.throwIfAborted();
        chunks.next().then(resolve, reject);
      });
      slot.waitsSince = undefined;
      slot.waitedMs += performance.now() - since;
      isOver = next.done === true;
      if (next.done) return;
      slot.arrived += next.value.length;
      if (slot.waitedMs > WINDOW_MS) {
        slot.arrived /= 2;
        slot.waitedMs /= 2;
      }
      yield next.value;
    }
  } finally {
    const returned = isOver ? undefined : chunks.return?.();
    // A source that waits for a slow client ends with it; nobody needs its late error.
    if (signal.aborted) returned?.catch(() => {});
    else await returned;
  }
}
