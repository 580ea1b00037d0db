"use server";

import { headers } from "next/headers";
import { z } from "zod";
import { rememberThisBrowser } from "@/lib/auth/this-browser";
import { askForRecovery } from "@/lib/mail/ask-recovery";
import { clientNetwork } from "@/lib/network";
import { recoverByCode } from "@/lib/recovery/recovery-codes";
import { pageOrigin } from "../origin";
import { type Outcome, outcome } from "../outcome";

const recoveryForm = z.object({
  username: z.string().trim(),
  code: z.string(),
  password: z.string(),
  alsoToken: z.string().optional(),
});

/** Has a link sent by e-mail, if the account has a verified address. Nothing tells whether it has. */
export async function askForLink(username: string): Promise<Outcome<void>> {
  return outcome(async () => askForRecovery(z.string().max(1_000).parse(username), clientNetwork(await headers())));
}

/** Sets a new password with a recovery code and, with `alsoToken`, replaces the token. */
export async function setPasswordByCode(fields: Record<string, unknown>): Promise<Outcome<{ username: string }>> {
  return outcome(async () => {
    const { username, code, password, alsoToken } = recoveryForm.parse(fields);
    const network = clientNetwork(await headers());
    const recovered = await recoverByCode(username, code, password, alsoToken !== undefined, network);
    await rememberThisBrowser(recovered, (await pageOrigin()).startsWith("https:"));
    return { username: recovered.username };
  });
}
