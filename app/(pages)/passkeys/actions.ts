"use server";

import { refresh } from "next/cache";
import { headers } from "next/headers";
import { z } from "zod";
import { confirmByPasskey, confirmingIn } from "@/lib/accounts/confirm";
import { endPasskeyOffer, namedPasskeyBrowser, passkeyBrowser } from "@/lib/accounts/cookies";
import { checkUsername, requireOpenSignUp } from "@/lib/accounts/create";
import { addPasskey, creationOptions, verifyRegistration } from "@/lib/accounts/passkeys/add";
import { removePasskey, renamePasskey } from "@/lib/accounts/passkeys/change";
import { requestOptions } from "@/lib/accounts/passkeys/prove";
import { requireRelyingParty } from "@/lib/accounts/passkeys/relying-party";
import { newcomer } from "@/lib/accounts/sign-in";
import { newId } from "@/lib/platform/ids";
import { clientNetwork } from "@/lib/platform/network/network";
import { actor, outcome, pageOrigin, provenActor } from "../outcome";
import { read } from "../read";

/** What this browser needs to sign in with any passkey that it has for this address. */
export async function askToSignIn() {
  return outcome(async () => {
    const { party, browser } = await asking();
    return requestOptions(party, { purpose: "sign in", browser, subject: "" });
  });
}

/** What this browser needs to create the passkey of a new account, and the id that the account will have. */
export async function askToSignUp(wanted: string) {
  return outcome(async () => {
    const username = read(z.string().trim().max(200), wanted);
    requireOpenSignUp();
    await checkUsername(username);
    const { party, browser } = await asking();
    const id = newId();
    const ceremony = { purpose: "sign up", browser, subject: newcomer(username, id) } as const;
    return { userId: id, options: await creationOptions(party, { id, username }, ceremony) };
  });
}

/** What this browser needs for the signed-in user to confirm with a passkey of theirs. */
export async function askToConfirm() {
  return outcome(async () => {
    const user = await actor();
    const { party, browser } = await asking();
    return requestOptions(party, confirmingIn(user, browser), user.id);
  });
}

/** Confirms with the passkey that answered. */
export async function confirmAnswered(answer: unknown) {
  return outcome(async () => {
    const user = await actor();
    const party = requireRelyingParty(await pageOrigin());
    const network = clientNetwork(await headers());
    await confirmByPasskey(user, answer, { party, browser: await passkeyBrowser(), network });
  });
}

/**
 * What this browser needs to create another passkey of the signed-in user. Only those who proved who they are get it,
 * so `addCreated` need not ask again.
 */
export async function askToAdd() {
  return outcome(async () => {
    const user = await provenActor();
    const { party, browser } = await asking();
    return creationOptions(party, user, { purpose: "add", browser, subject: subjectOf(user) });
  });
}

/** Adds the passkey that this browser created. Returns its name. */
export async function addCreated(answer: unknown) {
  return outcome(async () => {
    const user = await actor();
    const ceremony = { purpose: "add", browser: await passkeyBrowser(), subject: subjectOf(user) } as const;
    const passkey = await verifyRegistration(answer, requireRelyingParty(await pageOrigin()), ceremony);
    const name = await addPasskey(user.id, passkey, new Date(), await from(user));
    await endPasskeyOffer();
    refresh();
    return name;
  });
}

/** Gives a passkey of the signed-in user another name. */
export async function giveName(id: string, name: string) {
  return outcome(async () => {
    const { id: userId } = await actor();
    // Even if refused: it may have been removed in another window.
    refresh();
    return renamePasskey(userId, shortId(id), read(z.string().max(1_000), name));
  });
}

/** Removes a passkey of the signed-in user. */
export async function takeAway(id: string) {
  return outcome(async () => {
    const user = await provenActor();
    refresh();
    return removePasskey(user.id, shortId(id), user.id, new Date(), await from(user));
  });
}

/** Shows the offer of a passkey no more in this browser. */
export async function declineOffer() {
  return outcome(async () => {
    await endPasskeyOffer();
    refresh();
  });
}

const from = async ({ sessionId }: { sessionId: string }) => ({
  network: clientNetwork(await headers()).id,
  sessionId,
});

const shortId = (id: unknown) => read(z.string().max(100), id);

const subjectOf = ({ id, sessionId }: { id: string; sessionId: string }) => `${id} ${sessionId}`;

/** The address and browser that a new challenge is for. */
async function asking() {
  return { party: requireRelyingParty(await pageOrigin()), browser: await namedPasskeyBrowser() };
}
