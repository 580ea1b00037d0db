/** A chain of work that follows from work may hold the turn for so long, and this often. */
const LONGEST_MS = 10;
const MOST_ROUNDS = 100;

let waiting: (() => void)[] = [];
let isScheduled = false;
/** Whether this turn has read all waiting requests and runs what waited for that. */
let isEnding = false;
let rounds = 0;
let began = 0;
let ending: { promise: Promise<void>; resolve: () => void } | undefined;

/**
 * Runs `work`, which must not throw, once this turn of the event loop has read all waiting requests. What it leads to,
 * and asks for again, still runs in this turn.
 */
export function atEndOfTurn(work: () => void): void {
  waiting.push(work);
  if (!isScheduled && !isEnding) schedule();
}

/** Resolves for all callers at the same time, after everything that `atEndOfTurn` runs in this turn. */
export function endOfTurn(): Promise<void> {
  if (!ending) {
    let resolve = () => {};
    const promise = new Promise<void>((done) => {
      resolve = done;
    });
    ending = { promise, resolve };
    if (!isScheduled && !isEnding) schedule();
  }
  return ending.promise;
}

function schedule(): void {
  isScheduled = true;
  setImmediate(() => {
    isScheduled = false;
    isEnding = true;
    rounds = 0;
    began = performance.now();
    runWaiting();
  });
}

function runWaiting(): void {
  rounds++;
  const works = waiting;
  waiting = [];
  for (const work of works) work();
  // A tick that a microtask asks for comes after all microtasks, so after everything that uses the results.
  queueMicrotask(() => process.nextTick(followOrEnd));
}

function followOrEnd(): void {
  if (waiting.length > 0 && rounds < MOST_ROUNDS && performance.now() - began < LONGEST_MS) {
    runWaiting();
    return;
  }
  isEnding = false;
  ending?.resolve();
  ending = undefined;
  if (waiting.length > 0) schedule();
}
