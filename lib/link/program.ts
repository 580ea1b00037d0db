import { z } from "zod";
import { type Grant, isName, NAME_LENGTH, NAME_RULE, shortened } from "@/lib/accounts/access-tokens/create";
import { type Access, covers, storedAccess } from "@/lib/platform/access";
import { db } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { ApiError } from "@/lib/platform/errors";
import { describeProgram, nameOfProgram, siteOf } from "@/lib/platform/user-agent";
import type { LinkCode } from "@/prisma/generated/sqlite/client";
import { awaitedAt, COLLECTED } from "./states";

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

/** The access that the program requested; null: none. */
export function requestedAccessOf({ access }: Pick<LinkCode, "access">): Access | null {
  return access === null ? null : storedAccess(access);
}

/** How many are listed; one more shows that there are more. */
const MAX_LISTED = 200;

export interface LinkedProgram {
  id: string;
  /** What the program calls itself; may be empty. */
  program: string;
  network: string;
  /** When it collected the token or, before it has, when it was approved. ISO 8601. */
  linkedAt: string;
  /** False while it may still collect the token. */
  collected: boolean;
}

/**
 * The programs that hold the user's current token through a code, or may collect it, latest first: those that stop
 * working when it is rotated. At most 201.
 */
export async function linkedPrograms(userId: string, now = new Date()): Promise<LinkedProgram[]> {
  const user = await db.user.findUniqueOrThrow({ where: { id: userId }, select: { tokenHash: true } });
  const links = await db.linkCode.findMany({
    where: {
      userId,
      tokenHash: user.tokenHash,
      OR: [COLLECTED, awaitedAt(now)],
    },
    orderBy: { decidedAt: "desc" },
    take: MAX_LISTED + 1,
    select: {
      id: true,
      name: true,
      program: true,
      webPage: true,
      decidedAt: true,
      collectedAt: true,
      collectedNetwork: true,
      network: true,
    },
  });
  return links.map((link) => ({
    id: link.id,
    program: reportedName(link),
    network: link.collectedNetwork ?? link.network,
    linkedAt: (link.collectedAt ?? link.decidedAt)?.toISOString() ?? "",
    collected: link.collectedAt !== null,
  }));
}

/** The token that a program gets: the account's, or one of its own. */
export type TokenChoice = "account" | Grant;

/** What a program may request with a code. */
export interface CodeOptions {
  name?: string;
  access?: Access;
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

export const tooWide = () =>
  new ApiError(
    400,
    "access_too_wide",
    "The program asked for less access than that. Choose what it asked for, or less.",
  );
