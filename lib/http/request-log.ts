import { log } from "@/lib/log";
import { countRequest } from "@/lib/metrics";

/** A completed request. */
export interface Answered {
  id: string;
  /** The pattern, never the address, which holds tokens and codes. */
  route: string;
  method: string | undefined;
  status: number;
  /** By `performance.now()`. */
  started: number;
  /** The caller, if known. */
  userId?: string;
}

/** Writes the one log line of a request, and counts it. */
export function recordRequest({ id, route, method, status, started, userId }: Answered): void {
  const ms = Math.round((performance.now() - started) * 10) / 10;
  log.info({ id, route, method, status, ms, userId });
  countRequest(route, status, ms);
}
