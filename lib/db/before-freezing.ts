import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";

/** Vercel's runtime keeps it here for whoever is in the middle of a request (what its package @vercel/functions reads). */
const CONTEXT = Symbol.for("@vercel/request-context");

interface Platform {
  get?(): { waitUntil?(work: Promise<unknown>): void } | undefined;
}

/** A little more than the pool needs to close what is idle. */
const MARGIN_MS = 100;

/**
 * Closes connections before the platform freezes this process: it stays awake until those that were given back have been idle for as long as
 * the pool keeps them. Frozen, timers stand still, and the database would keep a connection for nobody. Elsewhere it does nothing.
 */
export function closeBeforeFreezing(pool: Pool, idleMs: number): void {
  let awake: AbortController | undefined;
  pool.on("release", () => {
    const { [CONTEXT]: platform } = globalThis as { [CONTEXT]?: Platform };
    const request = platform?.get?.();
    if (!request?.waitUntil) return;
    awake?.abort();
    awake = new AbortController();
    request.waitUntil(sleep(idleMs + MARGIN_MS, undefined, { signal: awake.signal }).catch(() => {}));
  });
}
