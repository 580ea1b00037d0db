import type { Network } from "@/lib/platform/network/network";
import { describeProgram, HIDDEN_PAGE, SHORTENED, shortenUserAgent, siteOf } from "@/lib/platform/user-agent";

/** Who sent a request, as far as it can tell. */
export interface Requester {
  network: Network;
  /** The User-Agent header, shortened. A claim, not a fact. */
  program: string;
  /** The origin of the web page of another site that sent it; null if no web page did. */
  webPage: string | null;
}

const MAX = 120;

/** The sender of a request with these headers to `origin`, the origin of this service. */
export function requesterOf(headers: Headers, network: Network, origin: string): Requester {
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
  return printable.length > MAX ? SHORTENED + printable.slice(-MAX) : printable;
}

/** A requester in the audit trail: a web page by its host. */
export function auditedRequester({ network, program, webPage }: Requester): Record<string, string> {
  const site = webPage === null ? "" : siteOf(webPage);
  return { network: network.id, program: site || describeProgram(program), ...(webPage !== null && { webPage }) };
}
