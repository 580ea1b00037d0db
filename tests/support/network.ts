import { randomBytes } from "node:crypto";
import type { Network } from "@/lib/network";

/** A network that no other test has, as if a request came from it over the internet. */
export function newNetwork(): Network {
  // Below 11 and from 100 on there are addresses with a meaning of their own: all of loopback is one network.
  const [first = 0, ...others] = randomBytes(4);
  return { id: [11 + (first % 89), ...others].join("."), kind: "remote" };
}
