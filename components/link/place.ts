import type { Place } from "@/lib/link/view";

const NAMES: Record<string, string> = { loopback: "this service's own machine" };

/** A network as a person is told it. */
export function networkName(network: string): string {
  return NAMES[network] ?? network;
}

/** Where something happened, seen from who looks: "", ", from your network" or ", from another network: 203.0.113.7, Linux, curl". */
export function placeOf({ network, isYours }: Place, program: string): string {
  if (isYours === undefined) return "";
  if (isYours) return ", from your network";
  return `, from another network: ${[networkName(network), program].filter((part) => part !== "").join(", ")}`;
}
