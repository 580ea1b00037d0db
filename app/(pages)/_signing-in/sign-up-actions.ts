"use server";

import { z } from "zod";
import { signedOut } from "@/lib/accounts/errors";
import { pendingIdentity } from "@/lib/accounts/ways-in/connect";
import { checkUsername } from "@/lib/accounts/ways-in/create";
import { acceptInvitation, findInvitation, type Invited } from "@/lib/accounts/ways-in/invitations";
import { checkPassword } from "@/lib/accounts/ways-in/passwords";
import { signUp } from "@/lib/accounts/ways-in/sign-up";
import { action } from "../action";
import { unlessBad } from "../visitor";

/** What a person enters to open an account with a password. */
const accountForm = z.object({ username: z.string().trim(), password: z.string() });

/** Throws what is wrong with the field beside the refused one. */
async function checkOtherField({ username, password }: z.output<typeof accountForm>, refused: string): Promise<void> {
  await (refused === "username" ? checkPassword(password) : checkUsername(username));
}

/** Creates an account with a password. A refusal names the mistakes of both fields. */
export const createAccount = action({
  who: "anyone",
  input: accountForm,
  also: checkOtherField,
  run: async (account, _nobody, { network }) => void (await signUp(account, { network })),
});

/** Creates an account for the provider identity with which this browser came to the page. */
export const createProviderAccount = action({
  who: "anyone",
  input: z.object({ username: z.string().trim(), accountId: z.string() }),
  run: async ({ username, accountId }, _nobody, { network }) => {
    const identity = await pendingIdentity();
    if (!identity) throw signedOut("This took too long. Sign in with the provider again.");
    if (identity.accountId !== accountId)
      throw signedOut("You have signed in with another account since this page was shown. Reload it.");
    await signUp({ username, identity }, { network });
  },
});

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
