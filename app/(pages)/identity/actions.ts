"use server";

import { z } from "zod";
import { provePassword } from "@/lib/accounts/sign-in";
import { actor, type Outcome, outcome, requestContext } from "../outcome";
import { read } from "../read";

/** Confirms with the password that the signed-in user is here. */
export async function confirmWithPassword(password: string): Promise<Outcome<void>> {
  return outcome(async () => {
    await provePassword(await actor(), read(z.string(), password), await requestContext());
  });
}
