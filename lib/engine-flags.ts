import { setFlagsFromString } from "node:v8";

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
