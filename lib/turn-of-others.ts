/** One line for the whole process, not one for each copy of this module. */
const perProcess = globalThis as typeof globalThis & { latchkeyWaiting?: (() => void)[] };

/**
 * For long work, between two of its steps: resolves when everything that had come in meanwhile was answered. Of all who wait here one goes on
 * in a turn of the event loop, so that many long works at once hold others up no longer than one does.
 */
export function turnOfOthers(): Promise<void> {
  perProcess.latchkeyWaiting ??= [];
  const waiting = perProcess.latchkeyWaiting;
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(next);
  });
}

/** Long work calls what this answers between two of its steps: it resolves at once, or after so many milliseconds of work when others had their turn. */
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
