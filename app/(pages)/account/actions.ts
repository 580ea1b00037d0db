"use server";

import { refresh } from "next/cache";
import { headers } from "next/headers";
import { z } from "zod";
import { createToken } from "@/lib/accounts/access-tokens/create";
import { removeToken } from "@/lib/accounts/access-tokens/list";
import { rememberThisBrowser } from "@/lib/accounts/cookies";
import { startConnecting } from "@/lib/accounts/current-user";
import { disconnectIdentity } from "@/lib/accounts/identities";
import { storedProvider } from "@/lib/accounts/providers";
import { endOtherSessions, endSession } from "@/lib/accounts/sessions";
import { changePassword } from "@/lib/accounts/sign-in";
import { revealToken, rotateToken, tokenMadeAt } from "@/lib/accounts/token";
import { clientNetwork } from "@/lib/platform/network/network";
import { deleteAccount } from "@/lib/user-data/delete";
import { actor, type Outcome, outcome, provenActor } from "../outcome";
import { read } from "../read";
import { grantOf } from "../token-ends";
import { accessField, endField } from "../token-fields";

/** A token, and since when the user has it, in Unix ms: a replaced one is no longer shown. */
export interface ShownToken {
  text: string;
  madeAt: number;
}

/** The signed-in user's token. */
export async function reveal(): Promise<Outcome<ShownToken>> {
  return outcome(async () => present((await provenActor()).id));
}

/** Gives the signed-in user a new token, and returns it. */
export async function rotate(): Promise<Outcome<ShownToken>> {
  return outcome(async () => {
    const { id } = await provenActor();
    await rotateToken(id);
    refresh();
    return present(id);
  });
}

async function present(userId: string): Promise<ShownToken> {
  const madeAt = (await tokenMadeAt(userId)).getTime();
  return { text: await revealToken(userId), madeAt };
}

/** A token of a program's own, which cannot be shown again. */
export interface NewToken {
  text: string;
  name: string;
}

const newTokenForm = z.object({ name: z.string(), access: accessField, ends: endField });

/** Creates a token of a program's own. */
export async function createOwnToken(fields: Record<string, unknown>): Promise<Outcome<NewToken>> {
  return outcome(async () => {
    const { id } = await provenActor();
    const { name, access, ends } = read(newTokenForm, fields);
    const made = await createToken(id, name, grantOf(access, ends));
    refresh();
    return { text: made.token, name: made.name };
  });
}

/** Removes a token of a program's own: it stops immediately. */
export async function removeOwnToken(tokenId: string): Promise<Outcome<void>> {
  return outcome(async () => {
    const { id } = await actor();
    // Even if refused: it may be gone already.
    refresh();
    await removeToken(id, { id: read(z.string().max(100), tokenId) });
  });
}

/**
 * Changes the password and signs out other browsers; with `alsoToken`, also replaces the token. Without a password so
 * far, `current` is ignored, and another recent proof is needed.
 */
export async function replacePassword(current: string, next: string, alsoToken: boolean): Promise<Outcome<void>> {
  return outcome(async () => {
    const user = await actor();
    const network = clientNetwork(await headers());
    const passwordHash = await changePassword(
      user,
      read(z.string(), current),
      read(z.string(), next),
      network,
      read(z.boolean(), alsoToken),
    );
    await rememberThisBrowser({ id: user.id, passwordHash });
    refresh();
  });
}

/** Signs the user out in one browser. */
export async function signOutOf(sessionId: string): Promise<Outcome<void>> {
  return outcome(async () => {
    await endSession((await actor()).id, read(z.string(), sessionId));
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

/** Called before going to a provider whose account will sign this user in. */
export async function connect(provider: string): Promise<Outcome<void>> {
  return outcome(async () => startConnecting(await provenActor(), read(z.string(), provider)));
}

/** From now on this provider's account no longer signs this user in. */
export async function disconnect(provider: string): Promise<Outcome<void>> {
  return outcome(async () => {
    await disconnectIdentity((await provenActor()).id, storedProvider(read(z.string(), provider)));
    refresh();
  });
}

/** Called before what needs a proof but is no action: a download, or an import. */
export async function prove(): Promise<Outcome<void>> {
  return outcome(async () => void (await provenActor()));
}

/** Deletes the account for good, after its name and, if set, its password were typed. */
export async function removeAccount(username: string, password: string): Promise<Outcome<void>> {
  return outcome(async () => {
    const typed = { username: read(z.string(), username), password: read(z.string(), password) };
    await deleteAccount(await actor(), typed, clientNetwork(await headers()));
  });
}
