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
