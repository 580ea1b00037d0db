import { perProcess } from "./process";

/** How long a step may take before others have their turn. */
const MAX_MS = 10;

const turn = perProcess("turn", (): Turn & { waiting: (() => void)[] } => ({ waiting: [], began: undefined }));

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
export function pace(longestMs = MAX_MS): () => Promise<void> {
  return async () => {
    if (elapsed(turn) >= longestMs) await turnOfOthers();
  };
}

/**
 * Steps of long work that cannot be interrupted, as a statement with its commit: each follows the turn of others, and
 * gets how much to do, so that it takes about ten milliseconds. How much that is depends on the data.
 */
export function stepSize(min: number, max: number) {
  let size = min;
  return {
    async step<T>(work: (size: number) => Promise<T>): Promise<T> {
      await turnOfOthers();
      const began = performance.now();
      const done = await work(size);
      const took = performance.now() - began;
      if (took > MAX_MS) size = Math.max(min, Math.floor(size / 2));
      else if (took < MAX_MS / 2) size = Math.min(max, size * 2);
      return done;
    },
  };
}

/** How long kinds of work are remembered, and how many: who makes up new ones all the time fills no memory. */
const REMEMBERED_MS = 10_000;
const REMEMBERED_KINDS = 1_000;

/**
 * Returns a function that runs work in the order in which it comes: at once, or once this turn of the event loop has
 * taken ten milliseconds, in the next ones. A turn takes one new connection, so work that comes on many open ones, all
 * in one turn, would keep new ones out. The kinds that wait take turns: every second turn is for those that had none
 * lately, so that a visitor does not wait for each of the many that ask all the time. What takes several turns, as a
 * page does, is let end first: else each of a hundred pages at once is ready as late as the last one. The work must not
 * throw. Each such function has ten milliseconds of its own, so that long work does not keep short work waiting.
 */
export function inOrder(): (work: () => void, kind?: string) => void {
  const [anew, again] = [new Map<string, (() => void)[]>(), new Map<string, (() => void)[]>()];
  let [served, servedBefore, servedSince] = [new Set<string>(), new Set<string>(), 0];
  const own: Turn = { began: undefined };
  let isRunning = false;
  let isForNew = false;
  const remember = (kind: string) => {
    const now = performance.now();
    if (now - servedSince > REMEMBERED_MS || served.size >= REMEMBERED_KINDS)
      [served, servedBefore, servedSince] = [new Set(), served, now];
    served.add(kind);
  };
  const runNext = () => {
    if (anew.size + again.size === 0) {
      isRunning = false;
      return;
    }
    if (elapsed(own) >= MAX_MS) return afterShortTurn(runNext);
    isForNew = again.size === 0 || (anew.size > 0 && !isForNew);
    const waiting = isForNew ? anew : again;
    const [[kind, works] = ["", []]] = waiting;
    const work = works.shift();
    waiting.delete(kind);
    remember(kind);
    if (works.length > 0) again.set(kind, works);
    work?.();
    // A tick that a microtask asks for comes after everything that the work led to so far.
    queueMicrotask(() => process.nextTick(runNext));
  };
  return (work, kind = "") => {
    if (!isRunning && elapsed(own) < MAX_MS) return work();
    const works = anew.get(kind) ?? again.get(kind);
    if (works) works.push(work);
    else (served.has(kind) || servedBefore.has(kind) ? again : anew).set(kind, [work]);
    if (!isRunning) afterShortTurn(runNext);
    isRunning = true;
  };
}

/** After so many long turns, the next one is the last that is waited for: others' long work keeps nothing out. */
const MAX_LONG_TURNS = 5;

/** Calls back after a turn of the event loop that was short: what began before it has little left to do. */
function afterShortTurn(callBack: () => void, longTurns = 0): void {
  const began = performance.now();
  setImmediate(() => {
    const wasLong = performance.now() - began >= MAX_MS;
    if (wasLong && longTurns < MAX_LONG_TURNS) afterShortTurn(callBack, longTurns + 1);
    else callBack();
  });
}

interface Turn {
  /** By `performance.now()`: the first call of `elapsed` in this turn of the event loop. */
  began: number | undefined;
}

/** Milliseconds since the first call in this turn of the event loop. */
function elapsed(of: Turn): number {
  const now = performance.now();
  if (of.began === undefined) {
    of.began = now;
    setImmediate(() => {
      of.began = undefined;
    });
  }
  return now - of.began;
}

function next(): void {
  turn.began &&= performance.now();
  turn.waiting.shift()?.();
  if (turn.waiting.length) setImmediate(next);
}

const MAX_ROUNDS = 100;

let waiting: (() => void)[] = [];
let isScheduled = false;
/** Whether this turn has read all waiting requests and runs what waited for that. */
let isEnding = false;
let rounds = 0;
let began = 0;
let ending: { promise: Promise<void>; resolve: () => void } | undefined;

/**
 * Runs `work`, which must not throw, once this turn of the event loop has read all waiting requests. What it leads to,
 * and schedules again, still runs in this turn.
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
  if (waiting.length > 0 && rounds < MAX_ROUNDS && performance.now() - began < MAX_MS) {
    runWaiting();
    return;
  }
  isEnding = false;
  ending?.resolve();
  ending = undefined;
  if (waiting.length > 0) schedule();
}
