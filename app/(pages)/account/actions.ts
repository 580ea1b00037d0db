"use server";

import { refresh } from "next/cache";
import { z } from "zod";
import { createToken } from "@/lib/accounts/access-tokens/create";
import { removeToken } from "@/lib/accounts/access-tokens/list";
import { rememberThisBrowser } from "@/lib/accounts/cookies";
import { startConnecting } from "@/lib/accounts/current-user";
import { disconnectIdentity } from "@/lib/accounts/identities";
import { emailOf, enterAddress, removeAddress, sendAgain } from "@/lib/accounts/mail/addresses";
import { storedProvider } from "@/lib/accounts/providers";
import { createRecoveryCodes } from "@/lib/accounts/recovery/codes";
import { endOtherSessions, endSession } from "@/lib/accounts/sessions";
import { changePassword } from "@/lib/accounts/sign-in";
import { revealToken, rotateToken, tokenCreatedAt } from "@/lib/accounts/token";
import { ApiError } from "@/lib/platform/errors";
import { deleteAccount } from "@/lib/user-data/delete";
import { actor, inRequest, type Outcome, outcome, provenActor, requestContext } from "../outcome";
import { accessField, endField, read } from "../read";
import { grantOf } from "../token-ends";

/** A token, and since when the user has it, in Unix ms: a replaced one is no longer shown. */
export interface ShownToken {
  text: string;
  createdAt: number;
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
  const createdAt = (await tokenCreatedAt(userId)).getTime();
  return { text: await revealToken(userId), createdAt };
}

/** A token of a program's own, which cannot be shown again. */
export interface NewToken {
  text: string;
  name: string;
}

const newTokenForm = z.object({
  name: z.string(),
  access: accessField,
  ends: endField,
  audience: z.string().optional(),
});

/** Creates a token of a program's own. */
export async function createOwnToken(fields: Record<string, unknown>, request: string): Promise<Outcome<NewToken>> {
  return outcome(async () => {
    const user = await provenActor();
    const { name, access, ends, audience } = read(newTokenForm, fields);
    const { request: named } = inRequest(user, request, ["createOwnToken", name, access, ends, audience]);
    const created = await createToken(user.id, { name, audience, ...grantOf(access, ends) }, { request: named });
    refresh();
    return { text: created.token, name: created.name };
  });
}

/** Removes a token of a program's own: it stops immediately. */
export async function removeOwnToken(tokenId: string): Promise<Outcome<void>> {
  return outcome(async () => {
    const { id } = await actor();
    // Even if refused: it may have been removed already.
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
    const passwordHash = await changePassword(
      user,
      { current: read(z.string(), current), next: read(z.string(), next), alsoToken: read(z.boolean(), alsoToken) },
      await requestContext(),
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

/** Deletes the account for good, after its name and, if set, its password were entered. */
export async function removeAccount(username: string, password: string): Promise<Outcome<void>> {
  return outcome(async () => {
    const confirmation = { username: read(z.string(), username), password: read(z.string(), password) };
    const { network } = await requestContext();
    await deleteAccount(await actor(), confirmation, { network });
  });
}

/** Sends a link to an address of the signed-in user: it will get links that set a new password. */
export async function enterEmail(address: string): Promise<Outcome<void>> {
  return outcome(async () => {
    const user = await provenActor();
    await enterAddress(user, read(z.string(), address), await requestContext());
    refresh();
  });
}

/** Sends another link to the address that waits for one. */
export async function sendEmailAgain(shown: ShownEmail): Promise<Outcome<void>> {
  return outcome(async () => {
    const { id } = await actor();
    // Even if refused: it may be verified already.
    refresh();
    await requireSame(id, shown);
    await sendAgain(id, await requestContext());
  });
}

/** Removes the user's addresses, and with them a way to recover the account. */
export async function removeEmail(shown: ShownEmail): Promise<Outcome<void>> {
  return outcome(async () => {
    const { id } = await provenActor();
    refresh();
    await requireSame(id, shown);
    await removeAddress(id);
  });
}

/** Removes the address that is not yet verified. */
export async function cancelEmailChange(shown: ShownEmail): Promise<Outcome<void>> {
  return outcome(async () => {
    const { id } = await actor();
    refresh();
    await requireSame(id, shown);
    await removeAddress(id, { onlyPending: true });
  });
}

/** The addresses as the page shows them. */
export interface ShownEmail {
  address: string | null;
  pending: string | null;
}

const shownEmail = z.object({ address: z.string().nullable(), pending: z.string().nullable() });

/** Throws 409 `address_changed` if they were changed meanwhile, in another tab. */
async function requireSame(userId: string, shown: ShownEmail): Promise<void> {
  const { address, pending } = (await emailOf(userId)) ?? {};
  const was = read(shownEmail, shown);
  if (address !== was.address || pending !== was.pending)
    throw new ApiError(
      409,
      "address_changed",
      "Your e-mail address has changed since this page was shown. Check it and try again.",
    );
}

/**
 * Gives the signed-in user new recovery codes, which end the earlier ones. Takes the password or, without one, another
 * recent proof.
 */
export async function newRecoveryCodes(password: string): Promise<Outcome<string[]>> {
  return outcome(async () => {
    const user = await actor();
    const codes = await createRecoveryCodes(user, read(z.string(), password), await requestContext());
    refresh();
    return codes;
  });
}
