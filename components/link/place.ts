import type { Place } from "@/lib/link/view";

const NAMES: Record<string, string> = { loopback: "the machine that this service runs on" };

/** Where something happened, seen from who looks: "", ", from your network" or ", from another network: 203.0.113.7, Linux, curl". */
export function placeOf({ network, isYours }: Place, program: string): string {
  if (isYours === undefined) return "";
  if (isYours) return ", from your network";
  return `, from another network: ${[NAMES[network] ?? network, program].filter((part) => part !== "").join(", ")}`;
}
