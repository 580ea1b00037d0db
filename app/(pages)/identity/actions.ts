"use server";

import { headers } from "next/headers";
import { z } from "zod";
import { provePassword } from "@/lib/accounts/sign-in";
import { clientNetwork } from "@/lib/platform/network/network";
import { actor, type Outcome, outcome } from "../outcome";
import { read } from "../read";

/** Confirms with the password that the signed-in user is here. */
export async function confirmWithPassword(password: string): Promise<Outcome<void>> {
  return outcome(async () => {
    await provePassword(await actor(), read(z.string(), password), clientNetwork(await headers()));
  });
}
