import { ApiError } from "@/lib/errors";
import { type Place, received } from "./import-rate";

/** Imports at once in one process: each takes some MB, and 16 bytes more for each of its entries. */
const MOST_IMPORTS = 8;
/** Of them, those of one network: somebody with many accounts leaves places to others. */
const MOST_OF_NETWORK = 4;
const RETRY_AFTER_SECONDS = 30;

/**
 * When a place is given to somebody else who wants one: it was held for longer than `graceMs`, and its client sent fewer than `leastBytes`
 * in each second that was waited for it. A client that is slow because we are keeps its place. (A document of the largest usual size
 * comes at three times this rate in the six hours that it may take.)
 */
export const PLACES = { graceMs: 30_000, leastBytes: 32 * 1024 };

/** Whose documents are being imported, in this process, not in each copy of this module. */
const perProcess = globalThis as typeof globalThis & { latchkeyImporting?: Map<string, Place> };

interface Admission {
  network?: string;
  /** What is done once the document has arrived: it needs the place too, and nobody takes it away any more. */
  complete: () => Promise<void>;
}

/**
 * Passes the document on, while no other one of the same user's is imported here and not too many of others' are. Where all places are
 * taken, the slowest client loses its own. Throws 409 `import_running`, 503 `too_many_imports`, and 408 `too_slow` where the place was
 * given to somebody else.
 */
export async function* admitted(userId: string, source: AsyncIterable<Uint8Array>, { network, complete }: Admission): AsyncGenerator<Uint8Array> {
  perProcess.latchkeyImporting ??= new Map();
  const importing = perProcess.latchkeyImporting;
  const refusal = refusalFor(importing, userId, network);
  // Begun, so that it comes to its own end: a request's body is read before it is answered.
  if (refusal) for await (const _ of source) throw refusal;
  if (refusal) throw refusal;
  const place: Place = { network, began: Date.now(), bytes: 0, waitedMs: 0, waitsSince: undefined, lost: new AbortController() };
  importing.set(userId, place);
  try {
    yield* received(source, place);
    await complete();
  } finally {
    if (importing.get(userId) === place) importing.delete(userId);
  }
}

function refusalFor(importing: Map<string, Place>, userId: string, network: string | undefined): ApiError | undefined {
  if (importing.has(userId)) return importRunning();
  const others = [...importing].filter(([, place]) => network !== undefined && place.network === network);
  if (others.length >= MOST_OF_NETWORK) return freed(importing, others) ? undefined : tooManyImports();
  if (importing.size < MOST_IMPORTS) return undefined;
  return freed(importing, [...importing]) ? undefined : tooManyImports();
}

/** Takes the slowest one's place away, where that is too slow. */
function freed(importing: Map<string, Place>, places: readonly [string, Place][]): boolean {
  const now = Date.now();
  const slow = places.filter(([, place]) => now - place.began > PLACES.graceMs && rateOf(place, now) < PLACES.leastBytes);
  const [slowest] = slow.sort(([, a], [, b]) => rateOf(a, now) - rateOf(b, now));
  if (!slowest) return false;
  importing.delete(slowest[0]);
  slowest[1].lost.abort(tooSlow());
  return true;
}

/** Bytes in a second that the client was waited for. */
function rateOf({ bytes, waitedMs, waitsSince }: Place, now: number): number {
  return (bytes * 1_000) / Math.max(1, waitedMs + (waitsSince === undefined ? 0 : now - waitsSince));
}

const importRunning = () =>
  new ApiError(409, "import_running", "Another document of yours is being imported. Nothing was changed; try again when that is done.");
const tooManyImports = () =>
  new ApiError(503, "too_many_imports", "Too many documents are being imported at this moment. Nothing was changed; try again in a minute.", {
    "Retry-After": String(RETRY_AFTER_SECONDS),
  });
const tooSlow = () =>
  new ApiError(
    408,
    "too_slow",
    "Your document arrives slowly, and others wait to import theirs. Nothing was changed; try again later, or over a faster connection.",
  );
