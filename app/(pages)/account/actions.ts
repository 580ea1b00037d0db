"use server";

import { refresh } from "next/cache";
import { headers } from "next/headers";
import { z } from "zod";
import { deleteAccount } from "@/lib/account/delete";
import { startConnecting } from "@/lib/auth/connect";
import { disconnectIdentity } from "@/lib/auth/identities";
import { endOtherSessions, endSession } from "@/lib/auth/sessions";
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
  return outcome(async () => {
    const token = await rotateToken((await actor()).id);
    refresh();
    return token;
  });
}

/** Changes the password and signs other browsers out. Where there is none yet, `current` does not matter. */
export async function replacePassword(current: string, next: string): Promise<Outcome<void>> {
  return outcome(async () => {
    await changePassword(await actor(), z.string().parse(current), z.string().parse(next), clientNetwork(await headers()));
    refresh();
  });
}

/** Signs the user out in one browser. */
export async function signOutOf(sessionId: string): Promise<Outcome<void>> {
  return outcome(async () => {
    await endSession((await actor()).id, z.string().parse(sessionId));
    refresh();
  });
}

/** Signs the user out in every other browser. */
export async function signOutElsewhere(): Promise<Outcome<void>> {
  return outcome(async () => {
    await endOtherSessions(await actor());
    refresh();
  });
}

/** Before the way to a provider whose account shall sign this user in from now on. */
export async function connect(provider: string): Promise<Outcome<void>> {
  return outcome(async () => startConnecting(await actor(), z.string().parse(provider), (await pageOrigin()).startsWith("https:")));
}

/** From now on this provider's account no longer signs this user in. */
export async function disconnect(provider: string): Promise<Outcome<void>> {
  return outcome(async () => {
    await disconnectIdentity((await actor()).id, z.string().parse(provider));
    refresh();
  });
}

/** Deletes the account for good, once its name, and its password where it has one, were typed. */
export async function removeAccount(username: string, password: string): Promise<Outcome<void>> {
  return outcome(async () => {
    const typed = { username: z.string().parse(username), password: z.string().parse(password) };
    await deleteAccount(await actor(), typed, clientNetwork(await headers()));
  });
}
