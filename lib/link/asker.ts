import type { Network } from "@/lib/network";
import { describeProgram, shortenUserAgent } from "./program";

/** The asker, as far as a request can tell. */
export interface Asker {
  network: Network;
  /** The User-Agent header, shortened. A claim, not a fact. */
  program: string;
  /** The origin of the web page of another site that asks; null if no web page does. */
  webPage: string | null;
}

/** A web page that hides its origin, as browsers write it (RFC 6454, section 7.1). */
export const HIDDEN_PAGE = "null";

const LONGEST = 120;

/** The sender of a request with these headers to `origin`, the origin of this service. */
export function askerOf(headers: Headers, network: Network, origin: string): Asker {
  return { network, program: shortenUserAgent(headers.get("user-agent")), webPage: webPageOf(headers, origin) };
}

function webPageOf(headers: Headers, ownOrigin: string): string | null {
  const origin = headers.get("origin");
  if (origin !== null && origin !== ownOrigin) return shortenOrigin(origin);
  // Browsers send it with every request to https and localhost. Node's fetch sends a mode, but no site.
  const site = headers.get("sec-fetch-site");
  if (site === null) return null;
  const isOfScript = (headers.get("sec-fetch-mode") ?? "navigate") !== "navigate";
  if (site === "same-origin") return isOfScript ? shortenOrigin(ownOrigin) : null;
  return isOfScript || (origin === null && /^(cross|same)-site$/.test(site)) ? HIDDEN_PAGE : null;
}

/**
 * Keeps the end of a long origin, because the end of a name identifies its owner. Names in other scripts stay in the
 * ASCII form (RFC 3492) that browsers send.
 */
function shortenOrigin(origin: string): string {
  const printable = origin.replace(/[^!-~]/g, "?");
  if (printable === "") return HIDDEN_PAGE;
  return printable.length > LONGEST ? `...${printable.slice(-LONGEST)}` : printable;
}

/** An asker in the audit trail. */
export function auditedAsker({ network, program, webPage }: Asker): Record<string, string> {
  return { network: network.id, program: describeProgram(program), ...(webPage !== null && { webPage }) };
}
