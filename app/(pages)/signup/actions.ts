"use server";

import { z } from "zod";
import { signUp } from "@/lib/accounts/create";
import { pendingIdentity } from "@/lib/accounts/current-user";
import { signedOut } from "@/lib/platform/errors";
import { action } from "../action";
import { accountForm, checkOtherField } from "./account-form";

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
