import { z } from "zod";
import { ACCESSES } from "@/lib/platform/access";
import { CODE_LENGTH } from "./code";
import { STATUSES } from "./states";

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
