"use server";

import { refresh } from "next/cache";
import { headers } from "next/headers";
import { z } from "zod";
import { enterAddress, removeAddress, sendAgain } from "@/lib/mail/addresses";
import { clientNetwork } from "@/lib/network";
import { actor, type Outcome, outcome, provenActor } from "../outcome";
import { read } from "../read";

/** Sends a link to an address of the signed-in user: it will get links that set a new password. */
export async function enterEmail(address: string): Promise<Outcome<void>> {
  return outcome(async () => {
    const user = await provenActor();
    await enterAddress(user, read(z.string(), address), clientNetwork(await headers()));
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

/** Removes the user's addresses, and with them a way to recover the account. */
export async function removeEmail(): Promise<Outcome<void>> {
  return outcome(async () => {
    await removeAddress((await provenActor()).id, false);
    refresh();
  });
}

/** Removes the address that is not yet verified. */
export async function cancelEmailChange(): Promise<Outcome<void>> {
  return outcome(async () => {
    await removeAddress((await actor()).id, true);
    refresh();
  });
}
