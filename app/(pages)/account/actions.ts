"use server";

import { headers } from "next/headers";
import { z } from "zod";
import { startConnecting } from "@/lib/auth/connect";
import { endOtherSessions } from "@/lib/auth/sessions";
import { revealToken, rotateToken } from "@/lib/auth/tokens";
import { changePassword } from "@/lib/auth/users";
import { clientNetwork } from "@/lib/network";
import { pageOrigin } from "../origin";
import { actor, type Outcome, outcome } from "../outcome";

/** The signed-in user's token. */
export async function reveal(): Promise<Outcome<string>> {
  return outcome(async () => revealToken((await actor()).id));
}

/** Gives the signed-in user a new token, and answers it. */
export async function rotate(): Promise<Outcome<string>> {
  return outcome(async () => rotateToken((await actor()).id));
}

/** Changes the password and signs other browsers out. Where there is none yet, `current` does not matter. */
export async function replacePassword(current: string, next: string): Promise<Outcome<void>> {
  return outcome(async () => changePassword(await actor(), z.string().parse(current), z.string().parse(next), clientNetwork(await headers())));
}

/** Signs the user out in every other browser. */
export async function signOutElsewhere(): Promise<Outcome<void>> {
  return outcome(async () => endOtherSessions(await actor()));
}

/** Before the way to a provider whose account shall sign this user in from now on. */
export async function connect(provider: string): Promise<Outcome<void>> {
  return outcome(async () => startConnecting(await actor(), z.string().parse(provider), (await pageOrigin()).startsWith("https:")));
}
