/** The place of an import that is under way. */
export interface Place {
  /** Where it comes from, as far as somebody vouches for that. */
  network: string | undefined;
  began: number;
  /** What has come in the last `WINDOW_MS`, about, and for how much of that time its client was waited for. */
  bytes: number;
  waitedMs: number;
  /** Unset while the client waits for us. */
  waitsSince: number | undefined;
  /** Aborted with the refusal when the place is given to somebody else. */
  lost: AbortController;
}

/** What is older counts half with each of these: a client that was fast once is not fast for ever. */
const WINDOW_MS = 60_000;

/** Passes on what arrives, and counts how fast its sender is. Throws why the place was lost, without waiting for the sender. */
export async function* received(source: AsyncIterable<Uint8Array>, place: Place): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  const { signal } = place.lost;
  let isOver = false;
  // No Promise.race with one promise that lasts: it would hold every chunk until the end.
  let refuse: (reason: unknown) => void = () => {};
  signal.addEventListener("abort", () => refuse(signal.reason), { once: true });
  try {
    for (;;) {
      const since = Date.now();
      place.waitsSince = since;
      const next = await new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
        refuse = reject;
        signal.throwIfAborted();
        chunks.next().then(resolve, reject);
      });
      place.waitsSince = undefined;
      place.waitedMs += Date.now() - since;
      isOver = next.done === true;
      if (next.done) return;
      place.bytes += next.value.length;
      if (place.waitedMs > WINDOW_MS) {
        place.bytes /= 2;
        place.waitedMs /= 2;
      }
      yield next.value;
    }
  } finally {
    const returned = isOver ? undefined : chunks.return?.();
    // One that waits for a slow client ends when that does; what it throws then, nobody needs to hear.
    if (signal.aborted) returned?.catch(() => {});
    else await returned;
  }
}
