import { AsyncLocalStorage } from "node:async_hooks";

/** What is known of a request to a page while it is answered. */
export interface PageRequest {
  userId?: string;
  /** Aborted when its client has gone. */
  gone?: AbortSignal;
}

/** Next's bundle, which learns who asks, and the server's, which writes the log line, are two copies of this module. */
const perProcess = globalThis as typeof globalThis & { latchkeyRequest?: AsyncLocalStorage<PageRequest> };
perProcess.latchkeyRequest ??= new AsyncLocalStorage();
const request = perProcess.latchkeyRequest;

/** Runs `work` for one request of a page; afterwards `seen` knows who asked. */
export function forRequest<T>(seen: PageRequest, work: () => T): T {
  return request.run(seen, work);
}

/** Says who asks, for the log line of the request that is being answered. */
export function noteUser(userId: string): void {
  const seen = request.getStore();
  if (seen) seen.userId = userId;
}

/** What is aborted when the client of the request that is being answered has gone. Undefined where that cannot be known. */
export function clientGone(): AbortSignal | undefined {
  return request.getStore()?.gone;
}
