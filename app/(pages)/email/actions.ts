"use server";

import { headers } from "next/headers";
import { z } from "zod";
import { currentUser } from "@/lib/accounts/current-user";
import { findAddressToVerify, verifyAddress } from "@/lib/accounts/mail/addresses";
import { clientNetwork } from "@/lib/platform/network/network";
import { actor, type Outcome, outcome, unlessBad } from "../outcome";
import { read } from "../read";

/** An address, and the account that it is for. */
export interface ShownAddress {
  username: string;
  address: string;
  /** The visitor is signed in to that account. */
  isYours: boolean;
}

/** What the link verifies; null if it cannot be used. Changes nothing. */
export async function lookAtAddress(secret: string): Promise<Outcome<ShownAddress | null>> {
  return outcome(async () => {
    const found = await unlessBad(findAddressToVerify(read(z.string(), secret), clientNetwork(await headers())));
    if (!found) return null;
    const { userId, username, address } = found;
    return { username, address, isYours: (await currentUser())?.id === userId };
  });
}

/** Takes the address into use. Null if the link cannot be used. */
export async function takeAddress(secret: string): Promise<Outcome<true | null>> {
  return outcome(async () => {
    const { id } = await actor();
    const network = clientNetwork(await headers());
    return unlessBad(verifyAddress(id, read(z.string(), secret), network).then(() => true as const));
  });
}
