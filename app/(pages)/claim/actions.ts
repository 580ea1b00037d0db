"use server";

import { headers } from "next/headers";
import { z } from "zod";
import { currentUser } from "@/lib/accounts/current-user";
import { acceptClaim, type Claimed, type ClaimPreview, findClaim } from "@/lib/keys/claims/accept";
import { clientNetwork } from "@/lib/platform/network/client";
import { actor, type Outcome, outcome, unlessBad } from "../outcome";
import { read } from "../read";

/** What the link gives; null if it cannot be used. Changes nothing. */
export async function previewClaim(secret: string): Promise<Outcome<ClaimPreview | null>> {
  return outcome(async () => {
    const network = clientNetwork(await headers());
    return unlessBad(findClaim(await currentUser(), read(z.string(), secret), { network }));
  });
}

/** Gives the signed-in user the key; null if the link cannot be used. */
export async function claimKey(secret: string): Promise<Outcome<Claimed | null>> {
  return outcome(async () => {
    const network = clientNetwork(await headers());
    return unlessBad(acceptClaim(await actor(), read(z.string(), secret), network));
  });
}
