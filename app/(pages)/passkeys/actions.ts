"use server";

import { refresh } from "next/cache";
import { z } from "zod";
import { confirmationCeremony, confirmByPasskey } from "@/lib/accounts/confirm";
import { endPasskeyOffer, namedPasskeyBrowser, passkeyBrowser } from "@/lib/accounts/cookies";
import { checkUsername, requireOpenSignUp } from "@/lib/accounts/create";
import { addPasskey, creationOptions, credentialsFor, verifyRegistration } from "@/lib/accounts/passkeys/add";
import { removePasskey, renamePasskey } from "@/lib/accounts/passkeys/change";
import { requestOptions } from "@/lib/accounts/passkeys/prove";
import { requireRelyingParty } from "@/lib/accounts/passkeys/relying-party";
import { newcomer } from "@/lib/accounts/sign-in";
import { newId } from "@/lib/platform/ids";
import { actor, outcome, pageOrigin, provenActor, requestContext } from "../outcome";
import { read } from "../read";

/** What this browser needs to sign in with any passkey that it has for this address. */
export async function optionsToSignIn() {
  return outcome(async () => {
    const { party, browser } = await challengedBrowser();
    return requestOptions({ party, purpose: "sign in", browser, subject: "" });
  });
}

/** What this browser needs to create the passkey of a new account, and the id that the account will have. */
export async function optionsToSignUp(input: string) {
  return outcome(async () => {
    const username = read(z.string().trim().max(200), input);
    requireOpenSignUp();
    await checkUsername(username);
    const { party, browser } = await challengedBrowser();
    const id = newId();
    const ceremony = { purpose: "sign up", party, browser, subject: newcomer(username, id) } as const;
    return { userId: id, options: await creationOptions({ id, username }, ceremony) };
  });
}

/** What this browser needs for the signed-in user to confirm with a passkey of theirs. */
export async function optionsToConfirm() {
  return outcome(async () => {
    const user = await actor();
    const { party, browser } = await challengedBrowser();
    return requestOptions(confirmationCeremony(user, { party, browser }), { userId: user.id });
  });
}

/** Confirms with the passkey that responded. */
export async function confirmWithResponse(response: unknown) {
  return outcome(async () => {
    const user = await actor();
    await confirmByPasskey(user, response, { ...(await respondingBrowser()), ...(await requestContext()) });
  });
}

/**
 * What this browser needs to create another passkey of the signed-in user. Only those who proved who they are get it,
 * so `addCreatedPasskey` does not check that again.
 */
export async function optionsToAdd() {
  return outcome(async () => {
    const user = await provenActor();
    const { party, browser } = await challengedBrowser();
    return creationOptions(user, { party, purpose: "add", browser, subject: subjectOf(user) });
  });
}

/** Adds the passkey that this browser created. Returns its name. */
export async function addCreatedPasskey(response: unknown) {
  return outcome(async () => {
    const user = await actor();
    const ceremony = { purpose: "add", ...(await respondingBrowser()), subject: subjectOf(user) } as const;
    const passkey = await verifyRegistration(response, ceremony);
    const name = await addPasskey(user.id, passkey, await sessionContext(user));
    await endPasskeyOffer();
    refresh();
    return name;
  });
}

/** Which passkeys of the signed-in user work at this address, as browsers name users and passkeys. */
export async function acceptedPasskeys() {
  return outcome(async () => {
    const { id, username } = await actor();
    const passkeys = await credentialsFor(id, requireRelyingParty(await pageOrigin()));
    const userId = Buffer.from(id).toString("base64url");
    return { userId, username, ids: passkeys.map((passkey) => passkey.id) };
  });
}

/** Gives a passkey of the signed-in user another name. */
export async function renameOwnPasskey(id: string, name: string) {
  return outcome(async () => {
    const { id: userId } = await actor();
    // Even if refused: it may have been removed in another window.
    refresh();
    return renamePasskey(userId, shortId(id), read(z.string().max(1_000), name));
  });
}

/** Removes a passkey of the signed-in user. */
export async function removeOwnPasskey(id: string) {
  return outcome(async () => {
    const user = await provenActor();
    refresh();
    return removePasskey(user.id, shortId(id), await sessionContext(user));
  });
}

/** Shows the offer of a passkey no more in this browser. */
export async function declineOffer() {
  return outcome(async () => {
    await endPasskeyOffer();
    refresh();
  });
}

const sessionContext = async ({ sessionId }: { sessionId: string }) => ({ ...(await requestContext()), sessionId });

const shortId = (id: unknown) => read(z.string().max(100), id);

const subjectOf = ({ id, sessionId }: { id: string; sessionId: string }) => `${id} ${sessionId}`;

/** The address and browser that a new challenge is for. */
async function challengedBrowser() {
  return { party: requireRelyingParty(await pageOrigin()), browser: await namedPasskeyBrowser() };
}

/** The address and browser that a response comes from. */
async function respondingBrowser() {
  return { party: requireRelyingParty(await pageOrigin()), browser: await passkeyBrowser() };
}
