import { randomBytes } from "node:crypto";
import type { Network } from "@/lib/network";

/** A network unique to this test, as if a request came from it over the internet. */
export function newNetwork(): Network {
  // Addresses below 11 and from 100 on may have a special meaning: all of loopback is one network.
  const [first = 0, ...others] = randomBytes(4);
  return { id: [11 + (first % 89), ...others].join("."), kind: "remote" };
}
