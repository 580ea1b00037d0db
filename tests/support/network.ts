import { randomBytes } from "node:crypto";
import type { Network } from "@/lib/platform/network/network";

export function newNetwork(): Network {
  // Addresses below 11 and from 100 on may have a special meaning: all of loopback is one network.
  const [first = 0, ...others] = randomBytes(4);
  return { id: [11 + (first % 89), ...others].join("."), kind: "remote" };
}
