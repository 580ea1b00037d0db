"use server";

import { z } from "zod";
import { checkUsername, signUp } from "@/lib/accounts/create";
import { pendingIdentity } from "@/lib/accounts/current-user";
import { checkPassword } from "@/lib/accounts/passwords";
import { signedOut } from "@/lib/platform/errors";
import { type Outcome, outcome, requestContext } from "../outcome";
import { read } from "../read";

const accountForm = z.object({ username: z.string().trim(), password: z.string() });

/** Creates an account with a password. A refusal names the mistakes of both fields. */
export async function createAccount(username: string, password: string): Promise<Outcome<void>> {
  const input = { username: "", password: "" };
  const created = await outcome(async () => {
    Object.assign(input, read(accountForm, { username, password }));
    await signUp(input, await requestContext());
  });
  if (!("error" in created) || created.field === undefined) return created;
  const other = await outcome(() =>
    created.field === "username" ? checkPassword(input.password) : checkUsername(input.username),
  );
  return "error" in other ? { ...created, other } : created;
}

/** Creates an account for the provider identity with which this browser came to the page. */
export async function createProviderAccount(username: string, accountId: string): Promise<Outcome<void>> {
  return outcome(async () => {
    const identity = await pendingIdentity();
    if (!identity) throw signedOut("This took too long. Sign in with the provider again.");
    if (identity.accountId !== accountId)
      throw signedOut("You have signed in with another account since this page was shown. Reload it.");
    await signUp({ username: read(z.string().trim(), username), identity }, await requestContext());
  });
}
