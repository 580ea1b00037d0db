/** One queue per process, not per copy of this module. */
const perProcess = globalThis as typeof globalThis & { latchkeyWaiting?: (() => void)[] };

/**
 * For long work, between two of its steps: resolves when everything that arrived meanwhile has been handled. Per turn
 * of the event loop, only one waiter continues, so that many long jobs delay others no longer than one does.
 */
export function turnOfOthers(): Promise<void> {
  perProcess.latchkeyWaiting ??= [];
  const waiting = perProcess.latchkeyWaiting;
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(next);
  });
}

/**
 * Returns a function that long work calls between two steps. It resolves immediately or, after this many milliseconds
 * of work, once others had their turn.
 */
export function pace(longestMs = 10): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < longestMs) return;
    await turnOfOthers();
    began = performance.now();
  };
}

function next(): void {
  const waiting = perProcess.latchkeyWaiting;
  waiting?.shift()?.();
  if (waiting?.length) setImmediate(next);
}
