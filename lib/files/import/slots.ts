import { ApiError } from "@/lib/errors";
import { perProcess } from "@/lib/per-process";
import { received, type Slot } from "./arrival";

/** Concurrent imports per process: each takes a few MB, and another 16 bytes per entry. */
const MOST_IMPORTS = 8;
/** Concurrent imports per network: a person with many accounts leaves slots to others. */
const MOST_OF_NETWORK = 4;
const RETRY_AFTER_SECONDS = 30;

/**
 * When a slot goes to somebody else: it was held for longer than `graceMs`, and its client sent fewer than `leastBytes`
 * per second of waiting for it. A client that is slow because of the service keeps its slot. (To arrive
 * within the six hours allowed, a document of the largest usual size needs three times this rate.)
 */
export const SLOTS = { graceMs: 30_000, leastBytes: 32 * 1024 };

/** The users whose documents are being imported. */
const importing = perProcess("imports", () => new Map<string, Slot>());

interface Admission {
  network?: string;
  /** The work after the document has arrived: it needs the slot too, which can then no longer be lost. */
  complete: () => Promise<void>;
}

/**
 * Passes the document through if no other one of this user is being imported here and a slot is free. If all slots are
 * taken, the slowest client loses its slot. Throws 409 `import_running`, 503 `too_many_imports`, and 408 `too_slow` if
 * the slot was given to somebody else.
 */
export async function* admitted(
  userId: string,
  source: AsyncIterable<Uint8Array>,
  { network, complete }: Admission,
): AsyncGenerator<Uint8Array> {
  const refusal = refusalFor(importing, userId, network);
  // Reads the source to its end first: a request's body is read before the response is sent.
  if (refusal) for await (const _ of source) throw refusal;
  if (refusal) throw refusal;
  const slot: Slot = {
    network,
    began: performance.now(),
    bytes: 0,
    waitedMs: 0,
    waitsSince: undefined,
    lost: new AbortController(),
  };
  importing.set(userId, slot);
  try {
    yield* received(source, slot);
    await complete();
  } finally {
    if (importing.get(userId) === slot) importing.delete(userId);
  }
}

function refusalFor(importing: Map<string, Slot>, userId: string, network: string | undefined): ApiError | undefined {
  if (importing.has(userId)) return importRunning();
  const others = [...importing].filter(([, slot]) => network !== undefined && slot.network === network);
  if (others.length >= MOST_OF_NETWORK) return freed(importing, others) ? undefined : tooManyImports();
  if (importing.size < MOST_IMPORTS) return undefined;
  return freed(importing, [...importing]) ? undefined : tooManyImports();
}

/** Takes away the slowest one's slot, if it is too slow. */
function freed(importing: Map<string, Slot>, slots: readonly [string, Slot][]): boolean {
  const now = performance.now();
  const slow = slots.filter(([, slot]) => now - slot.began > SLOTS.graceMs && rateOf(slot, now) < SLOTS.leastBytes);
  const [slowest] = slow.sort(([, a], [, b]) => rateOf(a, now) - rateOf(b, now));
  if (!slowest) return false;
  importing.delete(slowest[0]);
  slowest[1].lost.abort(tooSlow());
  return true;
}

/** Bytes per second of waiting for the client. */
function rateOf({ bytes, waitedMs, waitsSince }: Slot, now: number): number {
  return (bytes * 1_000) / Math.max(1, waitedMs + (waitsSince === undefined ? 0 : now - waitsSince));
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
      "Retry-After": String(RETRY_AFTER_SECONDS),
    },
  );
const tooSlow = () =>
  new ApiError(
    408,
    "too_slow",
    "Your document is arriving slowly, and others are waiting to import theirs. Nothing was changed; try again " +
      "later, or over a faster connection.",
  );
