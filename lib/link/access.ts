import { db } from "@/lib/platform/db/client";
import { HIDDEN_PAGE } from "@/lib/platform/user-agent";
import { isPollSecret, parseCode, storedCodeHash } from "./code";
import { isDecidable } from "./states";
import { unusable } from "./view";

/** What a web page gave the link page, which it opened in a window (contract, section 4: window). */
export interface Opener {
  code: string;
  /** The poll secret of the code. */
  secret: string;
  /** As the browser reports it. */
  origin: string;
}

/**
 * The code of a web page that proves to be the one it was issued to: its browser vouches for its origin, which is the
 * one that asked for the code, and it holds the poll secret. `ownOrigin`: this service's. Throws 409 `code_unusable`
 * for everything else.
 */
export async function codeOfOpener(
  { code: input, secret, origin }: Opener,
  ownOrigin: string,
  now = new Date(),
): Promise<string> {
  const code = parseCode(input);
  if (!code || !isTrustworthy(origin, ownOrigin)) throw unusable();
  const link = await db.linkCode.findUnique({ where: { codeHash: await storedCodeHash(code) } });
  const isProven = isPollSecret(secret, link?.secretHash ?? null);
  if (!link || !isProven || link.webPage !== origin || !isDecidable(link, now)) throw unusable();
  return code;
}

/** Whether nobody on the way can have changed the page. Where the service itself has no HTTPS, none is required. */
function isTrustworthy(origin: string, ownOrigin: string): boolean {
  if (origin === HIDDEN_PAGE || !URL.canParse(origin)) return false;
  const { protocol, hostname, origin: written } = new URL(origin);
  if (written !== origin || origin === ownOrigin) return false;
  return protocol === "https:" || (protocol === "http:" && (!ownOrigin.startsWith("https:") || isLocal(hostname)));
}

const isLocal = (hostname: string) => /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
