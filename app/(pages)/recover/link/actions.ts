"use server";

import { headers } from "next/headers";
import { z } from "zod";
import { rememberThisBrowser } from "@/lib/auth/this-browser";
import { clientNetwork } from "@/lib/network";
import { findRecoveryLink, recoverByLink } from "@/lib/recovery/recovery-links";
import { unlessBad } from "../../one-time-link/unless-bad";
import { pageOrigin } from "../../origin";
import { type Outcome, outcome } from "../../outcome";

/** Whose link this is; null if it cannot be used. Changes nothing. */
export async function lookAtRecovery(secret: string): Promise<Outcome<{ username: string } | null>> {
  return outcome(async () => {
    const found = await unlessBad(findRecoveryLink(z.string().parse(secret), clientNetwork(await headers())));
    return found && { username: found.username };
  });
}

/** Sets the new password and, with `alsoToken`, replaces the token. Null if the link cannot be used. */
export async function setPasswordByLink(
  secret: string,
  password: string,
  alsoToken: boolean,
): Promise<Outcome<{ username: string } | null>> {
  return outcome(async () => {
    const recovering = recoverByLink(
      z.string().parse(secret),
      z.string().parse(password),
      z.boolean().parse(alsoToken),
      clientNetwork(await headers()),
    );
    const recovered = await unlessBad(recovering);
    if (!recovered) return null;
    await rememberThisBrowser(recovered, (await pageOrigin()).startsWith("https:"));
    return { username: recovered.username };
  });
}
