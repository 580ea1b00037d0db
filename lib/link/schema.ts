import { z } from "zod";
import { ACCESSES, type Access } from "@/lib/platform/access";
import { CODE_LENGTH } from "./code";
import { isTokenWaiting, STATUSES } from "./states";

/** The access that a program requests: its user can narrow it. */
export const requestedAccess = z
  .enum(ACCESSES, { error: `must be ${ACCESSES.join(", ")}` })
  .describe(
    "The access that the program needs. It then gets a token of its own: identity for the user's name only, read " +
      "to read keys and files, everything to change them too. Left out: the account's token.",
  );

const MAX_PERMISSIONS = 1_000;
const READS = /^(?:keys?|files?):(?:view|read|list|get|check)$/;
const CHANGES =
  /^(?:keys?|files?):(?:\*|all|full|manage|create|add|edit|write|update|rename|delete|remove|revoke|share|transfer)$/;

/**
 * The access that covers these permissions of another service with this interface, of what there is here: the rest
 * counts as nothing (contract, section 4: permissions).
 */
export function accessOfPermissions(text: string): Access {
  const names = text.split(",").map((name) => name.trim().toLowerCase());
  if (names.some((name) => name === "*" || CHANGES.test(name))) return "everything";
  return names.some((name) => READS.test(name)) ? "read" : "identity";
}

/** What a program requests by the names of such permissions. */
export const requestedPermissions = z
  .string()
  .max(MAX_PERMISSIONS, `must have ${MAX_PERMISSIONS} characters at most`)
  .describe(
    "The same for programs of other services with this interface: names of permissions, separated by commas, like " +
      "account:view. Those to read keys or files mean read, those to change them everything, all others identity.",
  )
  .transform(accessOfPermissions);

/** Exactly the fields of the interface document (contract, section 4). */
export const codeResponse = z.strictObject({ code: z.string().length(CODE_LENGTH) });

export const linkedResponse = z.strictObject({ linked: z.literal(true), token: z.string() });

/** The body of every response without a token. */
export const NOT_LINKED = { linked: false, token: "" };

/** From the approval until the token is collected. */
export const linkedStatus = z.strictObject({ status: z.literal("linked") });

/** The body for everybody who may not know the status. */
export const UNKNOWN_STATUS = { status: "unknown" };

/** Every other status, with 404: existing programs take that for "not yet". */
export const otherStatus = z.strictObject({
  status: z.enum([...STATUSES.filter((status) => !isTokenWaiting(status)), UNKNOWN_STATUS.status]),
});
