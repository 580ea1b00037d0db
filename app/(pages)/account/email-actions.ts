"use server";

import { refresh } from "next/cache";
import { headers } from "next/headers";
import { z } from "zod";
import { enterAddress, removeAddress, sendAgain } from "@/lib/mail/addresses";
import { clientNetwork } from "@/lib/network";
import { actor, type Outcome, outcome } from "../outcome";

const addressForm = z.object({ address: z.string(), password: z.string().default("") });

/** Sends a link to an address of the signed-in user. Takes the password, if there is one. */
export async function enterEmail(fields: Record<string, unknown>): Promise<Outcome<void>> {
  return outcome(async () => {
    const user = await actor();
    const { address, password } = addressForm.parse(fields);
    await enterAddress(user, address, password, clientNetwork(await headers()));
    refresh();
  });
}

/** Sends another link to the address that waits for one. */
export async function sendEmailAgain(): Promise<Outcome<void>> {
  return outcome(async () => {
    const { id } = await actor();
    // Even if refused: it may be verified already.
    refresh();
    await sendAgain(id, clientNetwork(await headers()));
  });
}

/** Removes the user's addresses; with `onlyPending`, the one that is not yet verified. */
export async function removeEmail(onlyPending: boolean): Promise<Outcome<void>> {
  return outcome(async () => {
    await removeAddress((await actor()).id, z.boolean().parse(onlyPending));
    refresh();
  });
}
