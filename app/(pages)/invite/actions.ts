"use server";

import { z } from "zod";
import { acceptInvitation, findInvitation, type Invited } from "@/lib/accounts/recovery/invitations";
import { action } from "../action";
import { accountForm, checkOtherField } from "../signup/account-form";
import { unlessBad } from "../visitor";

/** What the invitation opens; null if it cannot be used. Changes nothing. */
export const previewInvitation = action({
  who: "anyone",
  input: z.string(),
  run: async (secret, _nobody, { network }): Promise<Invited | null> => {
    const invitation = await unlessBad(findInvitation(secret, { network }));
    return invitation && { username: invitation.username, role: invitation.role };
  },
});

/**
 * Opens the account, and returns its name; null if the invitation cannot be used. A refusal names the mistakes of both
 * fields. If the invitation names the user, `username` is empty.
 */
export const createInvitedAccount = action({
  who: "anyone",
  input: accountForm.extend({ secret: z.string() }),
  also: async (input, field) => {
    if (input.username !== "") await checkOtherField(input, field);
  },
  run: async ({ secret, ...account }, _nobody, { network }) => {
    const created = await unlessBad(acceptInvitation(secret, account, { network }));
    return created === null ? null : { username: created };
  },
});
