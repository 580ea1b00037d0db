import { randomBytes } from "node:crypto";
import type { Network } from "@/lib/network";

/** A network that no other test has, as if a request came from it over the internet. */
export function newNetwork(): Network {
  return { id: [...randomBytes(4)].join("."), kind: "remote" };
}
