/** The slot of a running import. */
export interface Slot {
  /** Its source network, if known. */
  network: string | undefined;
  began: number;
  /** Approximate bytes received in the last `WINDOW_MS`, and how much of that time was spent waiting for the client. */
  bytes: number;
  waitedMs: number;
  /** Unset while the client waits for the service. */
  waitsSince: number | undefined;
  /** Aborted with the refusal when the slot goes to somebody else. */
  lost: AbortController;
}

/** Older values are halved in each such window: a client that was fast once is not fast for ever. */
const WINDOW_MS = 60_000;

/**
 * Passes the chunks through and measures the sender's speed. If the slot is lost, throws the reason without waiting for
 * the sender.
 */
export async function* received(source: AsyncIterable<Uint8Array>, slot: Slot): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  const { signal } = slot.lost;
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
      slot.bytes += next.value.length;
      if (slot.waitedMs > WINDOW_MS) {
        slot.bytes /= 2;
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
