"use server";

import { refresh } from "next/cache";
import { headers } from "next/headers";
import { z } from "zod";
import { deleteAccount } from "@/lib/account/delete";
import { changePassword } from "@/lib/auth/authenticate";
import { startConnecting } from "@/lib/auth/connect";
import { disconnectIdentity } from "@/lib/auth/identities";
import { storedProvider } from "@/lib/auth/providers";
import { endOtherSessions, endSession } from "@/lib/auth/sessions";
import { rememberThisBrowser } from "@/lib/auth/this-browser";
import { revealToken, rotateToken, tokenMadeAt } from "@/lib/auth/tokens";

import { clientNetwork } from "@/lib/network";
import { pageOrigin } from "../origin";
import { actor, type Outcome, outcome } from "../outcome";

/** A token, and since when it is the user's, in unix ms: one that was replaced meanwhile is not shown any longer. */
export interface ShownToken {
  text: string;
  madeAt: number;
}

/** The signed-in user's token. */
export async function reveal(): Promise<Outcome<ShownToken>> {
  return outcome(async () => present((await actor()).id));
}

/** Gives the signed-in user a new token, and answers it. */
export async function rotate(): Promise<Outcome<ShownToken>> {
  return outcome(async () => {
    const { id } = await actor();
    await rotateToken(id);
    refresh();
    return present(id);
  });
}

async function present(userId: string): Promise<ShownToken> {
  const madeAt = (await tokenMadeAt(userId)).getTime();
  return { text: await revealToken(userId), madeAt };
}

/** Changes the password and signs other browsers out, with `alsoToken` the token too. Where there is no password yet, `current` does not matter. */
export async function replacePassword(current: string, next: string, alsoToken: boolean): Promise<Outcome<void>> {
  return outcome(async () => {
    const user = await actor();
    const network = clientNetwork(await headers());
    const passwordHash = await changePassword(user, z.string().parse(current), z.string().parse(next), network, z.boolean().parse(alsoToken));
    await rememberThisBrowser({ id: user.id, passwordHash }, await isSecure());
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
  return outcome(async () => startConnecting(await actor(), z.string().parse(provider), await isSecure()));
}

/** From now on this provider's account no longer signs this user in. */
export async function disconnect(provider: string): Promise<Outcome<void>> {
  return outcome(async () => {
    await disconnectIdentity((await actor()).id, storedProvider(z.string().parse(provider)));
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

async function isSecure(): Promise<boolean> {
  return (await pageOrigin()).startsWith("https:");
}
