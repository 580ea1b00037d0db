import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { isFrozenAfterRequests, keepAwake } from "@/lib/keep-awake";

/** Added to the time after which the pool closes idle connections. */
const MARGIN_MS = 100;

/**
 * Keeps this process awake until the pool has closed its idle connections, before the platform freezes it. Timers stop
 * in a frozen process, so the database would hold connections that nobody uses. Does nothing on other platforms.
 */
export function closeBeforeFreezing(pool: Pool, idleMs: number): void {
  let awake: AbortController | undefined;
  pool.on("release", () => {
    if (!isFrozenAfterRequests()) return;
    awake?.abort();
    awake = new AbortController();
    keepAwake(sleep(idleMs + MARGIN_MS, undefined, { signal: awake.signal }).catch(() => {}));
  });
}
