import { setFlagsFromString } from "node:v8";

/**
 * For processes that stream documents. V8 learns where objects are made that outlive its first collections, and places later
 * ones where only a full collection finds them. For a while the buffers of slow clients are such objects, and then all of them
 * are for good: it was measured to happen in a quarter of all processes, to collect the whole heap 14 times a second from then
 * on, and to halve the speed of every download.
 */
export function forbidPretenuring(): void {
  setFlagsFromString("--no-allocation-site-pretenuring");
}
