import type { Place } from "@/lib/link/view";

const NAMES: Record<string, string> = { loopback: "this service's own machine", unknown: "an unknown network" };
/** As browsers write the origin of a page that does not say where it is from. */
const HIDDEN_PAGE = "null";

/** A network as a person is told it. */
export function networkName(network: string): string {
  return NAMES[network] ?? network;
}

/** Where something happened, seen from who looks: "", ", from your network" or ", from another network: 203.0.113.7, Linux, curl". */
export function placeOf({ network, isYours }: Place, program: string): string {
  if (isYours === undefined) return "";
  if (isYours) return ", from your network";
  const known = [network === null ? "" : networkName(network), program].filter((part) => part !== "").join(", ");
  return `, from another network${known && `: ${known}`}`;
}

/** A web page as a person is told it: by its host, in the letters that a browser shows for a name in another script. */
export function webPageName(origin: string): string {
  if (origin === HIDDEN_PAGE) return "A web page that hides its address";
  return `A web page at ${origin.replace(/^https?:\/\//, "")}`;
}
