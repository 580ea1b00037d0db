import { setTimeout as sleep } from "node:timers/promises";
import { log } from "@/lib/platform/log";
import { keepAwake, perProcess } from "@/lib/platform/process";

/** A process counts no more often. */
const EVERY_MS = 60_000;
/** Nor may counting take more than this part of its time. */
const PART_OF_TIME = 20;
/** How long a page waits for a count that is due. */
const PATIENCE_MS = 500;

/** What was counted, as of when. */
export interface Counted<Value> {
  value: Value;
  at: Date;
}

/**
 * A count that takes long where much is stored. A process counts at most once a minute, takes a twentieth of its time
 * for it at most, and never counts the same twice at once. `now` waits for a count that is due; `soon` waits for half a
 * second, then returns the last one, or null before the first, and counting goes on.
 */
export function cached<Value>(name: string, count: () => Promise<Value>) {
  type State = { last?: Counted<Value>; dueAt: number; running?: Promise<Counted<Value>> };
  const state = perProcess(`count of ${name}`, (): State => ({ dueAt: 0 }));
  const run = async (): Promise<Counted<Value>> => {
    const [at, began] = [new Date(), performance.now()];
    const last = { value: await count(), at };
    const ended = performance.now();
    state.dueAt = ended + Math.max(EVERY_MS, PART_OF_TIME * (ended - began));
    state.last = last;
    return last;
  };
  const now = (): Promise<Counted<Value>> => {
    if (state.last && performance.now() < state.dueAt) return Promise.resolve(state.last);
    state.running ??= run().finally(() => {
      state.running = undefined;
    });
    return state.running;
  };
  const soon = async (): Promise<Counted<Value> | null> => {
    const counting = now().catch((error) =>
      log.error({ err: error }, `counting ${name} failed; the next time tries again`),
    );
    keepAwake(counting);
    await Promise.race([counting, sleep(PATIENCE_MS, undefined, { ref: false })]);
    return state.last ?? null;
  };
  return { now, soon };
}
