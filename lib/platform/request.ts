import { AsyncLocalStorage } from "node:async_hooks";
import { perProcess } from "./process";

/** The context of a page request while it runs. */
export interface PageRequest {
  userId?: string;
  /** Bytes of the response's body, if they are known before it begins. */
  length?: number;
  /** The database does not respond, so the page cannot be made. */
  isUnavailable?: true;
  /** Called when the action that it calls begins: its body has been decoded. */
  begun?: () => void;
  /** Aborted when its client disconnects. */
  signal?: AbortSignal;
  /** Ends its connection, with all that its client has not received yet. */
  cut?: () => void;
}

/**
 * Next's bundle, which identifies the user, and the server's bundle, which writes the log line, each have a copy of
 * this module.
 */
const request = perProcess("request", () => new AsyncLocalStorage<PageRequest>());

/** Runs `work` for one page request; afterwards `seen` has the user. */
export function forRequest<T>(seen: PageRequest, work: () => T): T {
  return request.run(seen, work);
}

/** Records the user for the log line of the current request. */
export function noteUser(userId: string): void {
  const seen = request.getStore();
  if (seen) seen.userId = userId;
}

/** Records the length of the response's body, in bytes: Next drops Content-Length from responses of routes. */
export function noteLength(bytes: number): void {
  const seen = request.getStore();
  if (seen) seen.length = bytes;
}

/** Records that the current request fails because the database does not respond. Next itself would say 500. */
export function noteUnavailable(): void {
  const seen = request.getStore();
  if (seen) seen.isUnavailable = true;
}

/** Records that the body of the current request has been decoded. */
export function noteBegun(): void {
  request.getStore()?.begun?.();
}

/** A signal that is aborted when the client of the current request disconnects; undefined if that cannot be known. */
export function clientSignal(): AbortSignal | undefined {
  return request.getStore()?.signal;
}

/** Ends the connection of the current request when called; undefined if that cannot be done. */
export function connectionCutter(): (() => void) | undefined {
  return request.getStore()?.cut;
}
