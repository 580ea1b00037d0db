import { z } from "zod";
import { type Proving, partyNamed } from "@/lib/accounts/identity/access-tokens/audiences";
import type { Grant } from "@/lib/accounts/identity/access-tokens/create";
import {
  AUDIENCE_RULE,
  audienceNamed,
  isAudience,
  isName,
  NAME_LENGTH,
  NAME_RULE,
  shortened,
} from "@/lib/accounts/identity/names";
import { type Access, covers, storedAccess } from "@/lib/platform/access";
import { env } from "@/lib/platform/env";
import { describeProgram, HIDDEN_PAGE, nameOfProgram, SHORTENED, siteOf } from "@/lib/platform/user-agent";
import type { LinkCode } from "@/prisma/generated/sqlite/client";

/** The name that a program gives itself: shown to its user as such, because nobody has verified it. */
export const programName = z
  .string()
  .trim()
  .transform((text) => shortened(text))
  .refine(isName, NAME_RULE)
  .describe(
    `The program's name, as the user will see it: printable characters, of which ${NAME_LENGTH} count. Of a web ` +
      "page, the user sees the host instead of any name.",
  );

/** The server to which a program asks to prove who its user is: shown to that user, who approves it. */
export const requestedAudience = z
  .string()
  .trim()
  .refine(isAudience, AUDIENCE_RULE)
  .describe(
    "The server to which the program will prove who its user is, as key of /generate_validator names it. The user " +
      "sees it. The program then gets a token of its own. Left out: its own site, or its name.",
  );

/** OAuth's name of a program: a claim, because nobody registers. Its characters: RFC 6749, appendix A.1. */
export const clientId = z.string().regex(/^[ -~]{1,255}$/, "must be 1 to 255 printable ASCII characters");

/** A scope of OAuth (RFC 6749, section 3.3). */
export const scope = z.string().max(1_000, "must have 1000 characters at most");

type ProgramNames = Pick<LinkCode, "name" | "program" | "webPage">;

/**
 * The name of the program that requested a code, as the page shows it; empty if it has none. A web page of another site
 * could choose any: its name is its host, which its browser vouches for.
 */
export function nameOnPage({ name, program, webPage }: ProgramNames): string {
  return webPage === null ? (name ?? nameOfProgram(program)) : siteOf(webPage);
}

/** The same for lists, with what else the program reports of itself; may be empty. */
export function reportedName({ name, program, webPage }: ProgramNames): string {
  return (webPage === null ? name : siteOf(webPage)) || describeProgram(program);
}

/** The name of the token that the program gets. */
export function nameForToken(link: ProgramNames): string {
  const site = link.webPage === null ? "" : siteOf(link.webPage);
  // The end of a host identifies its owner.
  if (site.length > NAME_LENGTH) return `...${site.slice(3 - NAME_LENGTH)}`;
  const name = shortened(nameOnPage(link) || describeProgram(link.program));
  return isName(name) ? name : "Program";
}

/**
 * To whom the program's own token proves who its user is, and in whose name: what it requested or, without that, its
 * own site or name (contract, section 4: audience). A page that anybody on the way can change is not its host.
 * `opener`: the origin of the page that opened the window. No browser says which page shows letters: any program can
 * write an origin.
 */
export function provingFor(link: ProgramNames & Pick<LinkCode, "audience">, opener?: string): Proving {
  const { webPage, audience } = link;
  const name = nameOnPage(link);
  const party = opener !== undefined && opener === webPage ? opener : partyNamed(name);
  if (audience !== null) return { audiences: [audience], party };
  if (webPage === null) return { audiences: [audienceNamed(name)].filter(Boolean), party };
  if (webPage === HIDDEN_PAGE || webPage.startsWith(SHORTENED)) return { audiences: [], party };
  return { audiences: isTamperProof(webPage, env.NEXTAUTH_URL ?? "") ? [webPage, name] : [webPage], party };
}

/** The server to which a program will prove who its user is, as the page shows it to that user. */
export interface ShownAudience {
  text: string;
  /** It is not the program's own site, nor a name that could be no server's: anybody could name any. */
  isAnothers: boolean;
}

/** Null if it will prove nothing with a token of its own. */
export function audienceOnPage(link: ProgramNames & Pick<LinkCode, "audience">): ShownAudience | null {
  const own = provingFor({ ...link, audience: null }).audiences;
  // Of a site's own, the host is what people know.
  const text = link.audience ?? own.at(-1);
  return text === undefined
    ? null
    : { text, isAnothers: !own.includes(text) || (link.webPage === null && isOfServer(text)) };
}

/** Whether a server may go by this name, as "play.example", "localhost:3000" or "https://play.example". */
const isOfServer = (name: string) => /^\S+[.:]\S+$/.test(name);

/** Whether nobody on the way can have changed the page. Where the service itself has no HTTPS, none is required. */
export function isTamperProof(webPage: string, ownOrigin: string): boolean {
  if (!URL.canParse(webPage)) return false;
  const { protocol, hostname } = new URL(webPage);
  return protocol === "https:" || (protocol === "http:" && (!ownOrigin.startsWith("https:") || isLocal(hostname)));
}

const isLocal = (hostname: string) => /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);

/** The access that the program requested; null: none. */
export function requestedAccessOf({ access }: Pick<LinkCode, "access">): Access | null {
  return access === null ? null : storedAccess(access);
}

/** The token that a program gets: the account's, or one of its own. */
export type TokenChoice = "account" | Grant;

/** What a program may request with a code. */
export interface CodeOptions {
  name?: string;
  access?: Access;
  /** The server to which it will prove who its user is. */
  audience?: string;
  /** For OAuth's device flow: only its secret collects, from the beginning. */
  isDevice?: boolean;
}

/**
 * The choice that the page proposes: what the program requested. A program that requested none gets what LINK_TOKEN
 * says (contract, section 4: token).
 */
export function proposedChoice(requested: Access | null): TokenChoice {
  if (requested) return { access: requested, days: null };
  return env.LINK_TOKEN === "own" ? { access: "everything", days: null } : "account";
}

/** Whether the user may choose this: what a program requested can be narrowed, never widened. */
export function isWithinRequested(choice: TokenChoice, requested: Access | null): boolean {
  if (!requested) return true;
  return choice !== "account" && covers(requested, choice.access);
}
