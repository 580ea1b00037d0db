"use server";

import { headers } from "next/headers";
import { z } from "zod";
import { pendingIdentity } from "@/lib/auth/session";
import { signUp } from "@/lib/auth/users";
import { ApiError } from "@/lib/errors";
import { clientNetwork } from "@/lib/network";
import { type Outcome, outcome } from "../outcome";

/** Makes an account that signs in by password. */
export async function makeAccount(username: string, password: string): Promise<Outcome<void>> {
  return outcome(async () => {
    await signUp({ username: z.string().trim().parse(username), password: z.string().parse(password) }, clientNetwork(await headers()));
  });
}

/** Makes an account that signs in through the provider that this browser has just come from. */
export async function makeProviderAccount(username: string): Promise<Outcome<void>> {
  return outcome(async () => {
    const identity = await pendingIdentity();
    if (!identity) throw new ApiError(401, "signed_out", "Too much time has passed. Sign in with the provider again.");
    await signUp({ username: z.string().trim().parse(username), identity }, clientNetwork(await headers()));
  });
}
