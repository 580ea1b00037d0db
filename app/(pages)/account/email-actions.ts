"use server";

import { refresh } from "next/cache";
import { headers } from "next/headers";
import { z } from "zod";
import { emailOf, enterAddress, removeAddress, sendAgain } from "@/lib/accounts/mail/addresses";
import { ApiError } from "@/lib/platform/errors";
import { clientNetwork } from "@/lib/platform/network/network";
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
export async function sendEmailAgain(shown: ShownEmail): Promise<Outcome<void>> {
  return outcome(async () => {
    const { id } = await actor();
    // Even if refused: it may be verified already.
    refresh();
    await requireSame(id, shown);
    await sendAgain(id, clientNetwork(await headers()));
  });
}

/** Removes the user's addresses, and with them a way to recover the account. */
export async function removeEmail(shown: ShownEmail): Promise<Outcome<void>> {
  return outcome(async () => {
    const { id } = await provenActor();
    refresh();
    await requireSame(id, shown);
    await removeAddress(id, false);
  });
}

/** Removes the address that is not yet verified. */
export async function cancelEmailChange(shown: ShownEmail): Promise<Outcome<void>> {
  return outcome(async () => {
    const { id } = await actor();
    refresh();
    await requireSame(id, shown);
    await removeAddress(id, true);
  });
}

/** The addresses as the page shows them. */
export interface ShownEmail {
  address: string | null;
  pending: string | null;
}

const shownEmail = z.object({ address: z.string().nullable(), pending: z.string().nullable() });

/** Throws 409 `address_changed` if they were changed meanwhile, in another tab. */
async function requireSame(userId: string, shown: ShownEmail): Promise<void> {
  const { address, pending } = (await emailOf(userId)) ?? {};
  const was = read(shownEmail, shown);
  if (address !== was.address || pending !== was.pending)
    throw new ApiError(409, "address_changed", "Your address was changed meanwhile. Look at it again.");
}
