import type { Network } from "@/lib/network";
import { describeProgram, shortenUserAgent } from "./program";

/** Who asks, as far as a request can tell. */
export interface Asker {
  network: Network;
  /** The User-Agent header, shortened. A claim, not a fact. */
  program: string;
  /** The origin of the web page of another site that asks; null: no web page does. */
  webPage: string | null;
}

/** A web page that does not say where it is from, as browsers write it (RFC 6454, section 7.1). */
export const HIDDEN_PAGE = "null";

const LONGEST = 120;

/** Who sent a request with these headers to `origin`, which is where this service is reached. */
export function askerOf(headers: Headers, network: Network, origin: string): Asker {
  return { network, program: shortenUserAgent(headers.get("user-agent")), webPage: webPageOf(headers, origin) };
}

function webPageOf(headers: Headers, ownOrigin: string): string | null {
  const origin = headers.get("origin");
  if (origin === ownOrigin) return null;
  if (origin !== null) return shortenOrigin(origin);
  return /^(cross|same)-site$/.test(headers.get("sec-fetch-site") ?? "") ? HIDDEN_PAGE : null;
}

/** The end of a long one: whose a name is, is said at its end. Names in other scripts stay in the ASCII form (RFC 3492) that browsers send. */
function shortenOrigin(origin: string): string {
  const printable = origin.replace(/[^!-~]/g, "?");
  if (printable === "") return HIDDEN_PAGE;
  return printable.length > LONGEST ? `...${printable.slice(-LONGEST)}` : printable;
}

/** An asker in the audit trail. */
export function auditedAsker({ network, program, webPage }: Asker): Record<string, string> {
  return { network: network.id, program: describeProgram(program), ...(webPage !== null && { webPage }) };
}
