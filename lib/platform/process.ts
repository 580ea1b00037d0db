import { setFlagsFromString } from "node:v8";

const ALL = Symbol.for("latchkey");

/**
 * What this process has once, by name, and not once for each copy of a module: Next's bundle and the server's bundle
 * each have one of our modules. The first caller creates it.
 */
export function perProcess<T extends object>(name: string, make: () => T): T {
  const process = globalThis as { [ALL]?: Map<string, object> };
  process[ALL] ??= new Map();
  const existing = process[ALL].get(name) ?? make();
  process[ALL].set(name, existing);
  return existing as T;
}

/** Remembers keys for a while in this process, to spare the database. Forgetting one only costs a query. */
interface ShortMemory {
  has(key: string): boolean;
  add(key: string): void;
}

/** Remembers keys for `seconds` each, at most `max` of them: the oldest are forgotten first. */
export function shortMemory(name: string, seconds: number, max: number): ShortMemory {
  const keys = perProcess(`memory of ${name}`, () => new Map<string, number>());
  return {
    has: (key) => (keys.get(key) ?? 0) > performance.now(),
    add(key) {
      keys.delete(key);
      keys.set(key, performance.now() + seconds * 1_000);
      dropOldest(keys, max);
    },
  };
}

/** Leaves at most `max` entries of a map: those that were added last. */
export function dropOldest(map: Map<string, unknown>, max: number): void {
  for (const oldest of map.keys()) {
    if (map.size <= max) return;
    map.delete(oldest);
  }
}

/** Vercel's runtime keeps the context of the current request here (as its package @vercel/functions reads it). */
const CONTEXT = Symbol.for("@vercel/request-context");

interface Platform {
  get?(): { waitUntil?(work: Promise<unknown>): void } | undefined;
}

/** Whether the platform freezes this process after a request, unless it is kept awake. */
export function isFrozenAfterRequests(): boolean {
  return waitUntil() !== undefined;
}

/** Asks a platform that freezes processes between requests to wait for this work. `work` must not reject. */
export function keepAwake(work: Promise<unknown>): void {
  waitUntil()?.(work);
}

function waitUntil() {
  const { [CONTEXT]: platform } = globalThis as { [CONTEXT]?: Platform };
  const request = platform?.get?.();
  return request?.waitUntil?.bind(request);
}

/**
 * For processes that serve or stream documents.
 *
 * V8 learns which code creates objects that survive its first collections, and allocates later ones where only a full
 * collection finds them. The buffers of slow clients are such objects for a while, and then all buffers are treated so
 * for good. This was measured in a quarter of all processes: the whole heap was then collected 14 times a second, and
 * every download ran at half speed.
 */
export function setEngineFlags(): void {
  setFlagsFromString("--no-allocation-site-pretenuring");
}
