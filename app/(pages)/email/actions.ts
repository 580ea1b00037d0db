"use server";

import { z } from "zod";
import { currentUser } from "@/lib/accounts/current-user";
import { findAddressToVerify, verifyAddress } from "@/lib/accounts/mail/addresses";
import { actor, type Outcome, outcome, requestContext, unlessBad } from "../outcome";
import { read } from "../read";

/** An address, and the account that it is for. */
export interface ShownAddress {
  username: string;
  address: string;
  /** The visitor is signed in to that account. */
  isYours: boolean;
}

/** What the link verifies; null if it cannot be used. Changes nothing. */
export async function previewAddress(secret: string): Promise<Outcome<ShownAddress | null>> {
  return outcome(async () => {
    const email = await unlessBad(findAddressToVerify(read(z.string(), secret), await requestContext()));
    if (!email) return null;
    const { userId, username, address } = email;
    return { username, address, isYours: (await currentUser())?.id === userId };
  });
}

/** Takes the address into use. Null if the link cannot be used. */
export async function verifyShownAddress(secret: string): Promise<Outcome<true | null>> {
  return outcome(async () => {
    const { id } = await actor();
    const context = await requestContext();
    return unlessBad(verifyAddress(id, read(z.string(), secret), context).then(() => true as const));
  });
}
