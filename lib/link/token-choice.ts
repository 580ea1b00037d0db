import { type Access, covers } from "@/lib/access";
import type { Grant } from "@/lib/access-tokens/create";
import { env } from "@/lib/env";
import { ApiError } from "@/lib/errors";

/** The token that a program gets: the account's, or one of its own. */
export type TokenChoice = "account" | Grant;

/** What a program asked for, which may be nothing. */
export interface Wish {
  name?: string;
  access?: Access;
}

/**
 * The choice that the page proposes: what the program asked for. A program that asked for nothing gets what LINK_TOKEN
 * says (contract, section 4: token).
 */
export function proposedChoice(asked: Access | null): TokenChoice {
  if (asked) return { access: asked, days: null };
  return env.LINK_TOKEN === "own" ? { access: "everything", days: null } : "account";
}

/** Whether the person may choose this: what a program asked for can be narrowed, never widened. */
export function isWithinAsked(choice: TokenChoice, asked: Access | null): boolean {
  if (!asked) return true;
  return choice !== "account" && covers(asked, choice.access);
}

export const tooWide = () =>
  new ApiError(
    400,
    "access_too_wide",
    "The program asked for less access than that. Choose what it asked for, or less.",
  );
