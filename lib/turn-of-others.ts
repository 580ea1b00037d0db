import { perProcess } from "./per-process";

/** How long a step may take before others have their turn. */
const LONGEST_MS = 10;

const turn = perProcess("turn", () => ({ waiting: [] as (() => void)[], began: undefined as number | undefined }));

/**
 * For long work, between two of its steps: resolves when everything that arrived meanwhile has been handled. Per turn
 * of the event loop, only one waiter continues, so that many long jobs delay others no longer than one does.
 */
export function turnOfOthers(): Promise<void> {
  const { waiting } = turn;
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(next);
  });
}

/**
 * Returns a function that long work calls between two steps. It resolves immediately or, once this turn of the event
 * loop has taken this many milliseconds, when others had their turn. All who call it share the turn: work within other
 * work does not get ten milliseconds of its own.
 */
export function pace(longestMs = LONGEST_MS): () => Promise<void> {
  return async () => {
    if (ofThisTurn() >= longestMs) await turnOfOthers();
  };
}

/**
 * Steps of long work that cannot be interrupted, as a statement with its commit: each follows the turn of others, and
 * is told how much to do, so that it takes about ten milliseconds. How much that is depends on the data.
 */
export function stepSize(fewest: number, most: number) {
  let size = fewest;
  return {
    async step<T>(work: (size: number) => Promise<T>): Promise<T> {
      await turnOfOthers();
      const began = performance.now();
      const done = await work(size);
      const took = performance.now() - began;
      if (took > LONGEST_MS) size = Math.max(fewest, Math.floor(size / 2));
      else if (took < LONGEST_MS / 2) size = Math.min(most, size * 2);
      return done;
    },
  };
}

/** Milliseconds since somebody first asked in this turn of the event loop. */
function ofThisTurn(): number {
  const now = performance.now();
  if (turn.began === undefined) {
    turn.began = now;
    setImmediate(() => {
      turn.began = undefined;
    });
  }
  return now - turn.began;
}

function next(): void {
  turn.began &&= performance.now();
  turn.waiting.shift()?.();
  if (turn.waiting.length) setImmediate(next);
}
