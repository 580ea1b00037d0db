import { z } from "zod";
import { isName, NAME_LENGTH, NAME_RULE } from "@/lib/accounts/access-tokens/create";
import { ACCESSES } from "@/lib/platform/access";
import { CODE_LENGTH } from "./code";
import { STATUSES } from "./states";

/** The name that a program gives itself: shown to its user as such, because nobody has verified it. */
export const programName = z
  .string()
  .trim()
  .refine(isName, NAME_RULE)
  .describe(`The program's name, as the user will see it: 1 to ${NAME_LENGTH} printable characters.`);

/** The access that a program requests: its user can narrow it. */
export const requestedAccess = z
  .enum(ACCESSES, { error: `must be ${ACCESSES.join(", ")}` })
  .describe(
    "The access that the program needs. It then gets a token of its own: identity for the user's name only, read " +
      "to read keys and files, everything to change them too. Left out: the account's token.",
  );

/** Exactly the fields of the interface document (contract, section 4). */
export const codeResponse = z.strictObject({ code: z.string().length(CODE_LENGTH) });

export const linkedResponse = z.strictObject({ linked: z.literal(true), token: z.string() });

/** The body of every response without a token. */
export const NOT_LINKED = { linked: false, token: "" };

export const statusResponse = z.strictObject({ status: z.enum(STATUSES) });

/** The body for everybody who may not know the status. */
export const UNKNOWN_STATUS = { status: "unknown" };
