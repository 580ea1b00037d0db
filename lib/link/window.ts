import { db } from "@/lib/platform/db/client";
import { parseCode, storedCodeHash } from "./code";
import { unusable } from "./errors";
import { isPollSecret } from "./poll-secret";
import { isTamperProof } from "./program";
import { isDecidable } from "./states";

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

/** Whether the origin is another site's, as browsers write it, and nobody on the way can have changed the page. */
function isTrustworthy(origin: string, ownOrigin: string): boolean {
  if (!URL.canParse(origin) || new URL(origin).origin !== origin || origin === ownOrigin) return false;
  return isTamperProof(origin, ownOrigin);
}
