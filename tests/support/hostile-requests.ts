import { hostileAddresses } from "./hostile-addresses";
import { hostileBodies, unfinishedBodies } from "./hostile-bodies";
import { hostileHeaders } from "./hostile-headers";
import type { HostileRequest } from "./hostile-request";

/** All of them: a soak test sends them all, many at a time. */
export const hostileRequests: readonly HostileRequest[] = [
  ...hostileAddresses,
  ...hostileHeaders,
  ...hostileBodies,
  ...unfinishedBodies,
];
