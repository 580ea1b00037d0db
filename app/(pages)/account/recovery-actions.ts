"use server";

import { refresh } from "next/cache";
import { headers } from "next/headers";
import { z } from "zod";
import { createRecoveryCodes } from "@/lib/accounts/recovery/codes";
import { clientNetwork } from "@/lib/platform/network/network";
import { actor, type Outcome, outcome } from "../outcome";
import { read } from "../read";

/**
 * Gives the signed-in user new recovery codes, which end the earlier ones. Takes the password or, without one, another
 * recent proof.
 */
export async function newRecoveryCodes(password: string): Promise<Outcome<string[]>> {
  return outcome(async () => {
    const user = await actor();
    const codes = await createRecoveryCodes(user, read(z.string(), password), clientNetwork(await headers()));
    refresh();
    return codes;
  });
}
