import { AsyncLocalStorage } from "node:async_hooks";

/** Next's bundle, which learns who asks, and the server's, which writes the log line, are two copies of this module. */
const perProcess = globalThis as typeof globalThis & { latchkeyRequest?: AsyncLocalStorage<{ userId?: string }> };
perProcess.latchkeyRequest ??= new AsyncLocalStorage();
const request = perProcess.latchkeyRequest;

/** Runs `work` for one request of a page; afterwards `seen` knows who asked. */
export function forRequest<T>(seen: { userId?: string }, work: () => T): T {
  return request.run(seen, work);
}

/** Says who asks, for the log line of the request that is being answered. */
export function noteUser(userId: string): void {
  const seen = request.getStore();
  if (seen) seen.userId = userId;
}
