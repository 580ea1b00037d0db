"use server";

import { headers } from "next/headers";
import { z } from "zod";
import { findAddressToVerify, verifyAddress } from "@/lib/mail/verify";
import { clientNetwork } from "@/lib/network";
import { unlessBad } from "../one-time-link/unless-bad";
import { type Outcome, outcome } from "../outcome";

/** An address, and the account that it is for. */
export interface ShownAddress {
  username: string;
  address: string;
}

/** What the link verifies; null if it cannot be used. Changes nothing. */
export async function lookAtAddress(secret: string): Promise<Outcome<ShownAddress | null>> {
  return outcome(async () => {
    const found = await unlessBad(findAddressToVerify(z.string().parse(secret), clientNetwork(await headers())));
    return found && { username: found.username, address: found.address };
  });
}

/** Takes the address into use. Null if the link cannot be used. */
export async function takeAddress(secret: string): Promise<Outcome<true | null>> {
  return outcome(async () => {
    const taken = await unlessBad(verifyAddress(z.string().parse(secret), clientNetwork(await headers())));
    return taken && true;
  });
}
