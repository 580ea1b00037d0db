"use server";

import { z } from "zod";
import { provePassword } from "@/lib/accounts/sign-in";
import { actor, actorHere, type Outcome, outcome, requestContext } from "../outcome";
import { read } from "../read";

/** Confirms with the password that the signed-in user is here. */
export async function confirmWithPassword(password: string): Promise<Outcome<void>> {
  return outcome(async () => {
    await provePassword(await actor(), read(z.string(), password), await requestContext());
  });
}

/** Whether an upload may replace files: for the page to ask for a proof before, if one is needed. */
export async function mayReplace(): Promise<Outcome<void>> {
  return outcome(async () => void (await actorHere()));
}
