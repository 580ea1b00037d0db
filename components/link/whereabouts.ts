import type { Whereabouts } from "@/lib/link/view";

/** The origin that browsers send for a page that hides its own. */
const NAMES: Record<string, string> = { loopback: "the machine this service runs on", unknown: "an unknown network" };
const HIDDEN_PAGE = "null";

/** The name of a network for people. */
export function networkName(network: string): string {
  return NAMES[network] ?? network;
}

/**
 * Where something happened, from the viewer's point of view: "", ", from your network" or ", from another network:
 * 203.0.113.7, curl on Linux".
 */
export function describeWhereabouts({ network, isYours }: Whereabouts, program: string): string {
  if (isYours === undefined) return "";
  if (isYours) return ", from your network";
  const known = [network === null ? "" : networkName(network), program].filter((part) => part !== "").join(", ");
  return `, from another network${known && `: ${known}`}`;
}

/** The name of a web page for people: its host, in the letters that a browser shows for a name in another script. */
export function webPageName(origin: string): string {
  if (origin === HIDDEN_PAGE) return "A web page that hides its address";
  return `A web page at ${origin.replace(/^https?:\/\//, "")}`;
}
