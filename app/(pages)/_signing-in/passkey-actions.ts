"use server";

import { z } from "zod";
import { requireRelyingParty } from "@/lib/accounts/identity/relying-party";
import { confirmationCeremony, confirmByPasskey } from "@/lib/accounts/ways-in/confirm";
import { checkUsername } from "@/lib/accounts/ways-in/create";
import { addPasskey, creationOptions, verifyRegistration } from "@/lib/accounts/ways-in/passkeys/add";
import { endPasskeyOffer, namedPasskeyBrowser, passkeyBrowser } from "@/lib/accounts/ways-in/passkeys/browser";
import { credentialsFor } from "@/lib/accounts/ways-in/passkeys/list";
import { requestOptions } from "@/lib/accounts/ways-in/passkeys/prove";
import { removePasskey } from "@/lib/accounts/ways-in/passkeys/remove";
import { renamePasskey } from "@/lib/accounts/ways-in/passkeys/rename";
import { newcomer, requireOpenSignUp } from "@/lib/accounts/ways-in/sign-up";
import { newId } from "@/lib/platform/ids";
import { action } from "../action";

const shortId = z.string().max(100);

/** What a browser made of a challenge: read by what verifies it. */
const response = z.unknown();

/** What this browser needs to sign in with any passkey that it has for this address. */
export const optionsToSignIn = action({
  who: "anyone",
  run: async (_, _nobody, { origin }) =>
    requestOptions({ ...(await challengedBrowser(origin)), purpose: "sign in", subject: "" }),
});

/** What this browser needs to create the passkey of a new account, and the id that the account will have. */
export const optionsToSignUp = action({
  who: "anyone",
  input: z.string().trim().max(200),
  run: async (username, _nobody, { origin }) => {
    requireOpenSignUp();
    await checkUsername(username);
    const id = newId();
    const challenged = await challengedBrowser(origin);
    const ceremony = { purpose: "sign up", ...challenged, subject: newcomer(username, id) } as const;
    return { userId: id, options: await creationOptions({ id, username }, ceremony) };
  },
});

/** What this browser needs for the signed-in user to confirm with a passkey of theirs. */
export const optionsToConfirm = action({
  run: async (_, user, { origin }) =>
    requestOptions(confirmationCeremony(user, await challengedBrowser(origin)), { userId: user.id }),
});

/** Confirms with the passkey that responded. */
export const confirmWithResponse = action({
  input: response,
  run: async (confirmed, user, { origin, network }) =>
    confirmByPasskey(user, confirmed, { ...(await respondingBrowser(origin)), network }),
});

/**
 * What this browser needs to create another passkey of the signed-in user. Only those who proved who they are get it,
 * so `addCreatedPasskey` does not check that again.
 */
export const optionsToAdd = action({
  proof: "recent",
  run: async (_, user, { origin }) =>
    creationOptions(user, { purpose: "add", ...(await challengedBrowser(origin)), subject: subjectOf(user) }),
});

/** Adds the passkey that this browser created. Returns its name. */
export const addCreatedPasskey = action({
  input: response,
  refreshes: true,
  run: async (created, user, { origin, network }) => {
    const ceremony = { purpose: "add", ...(await respondingBrowser(origin)), subject: subjectOf(user) } as const;
    const passkey = await verifyRegistration(created, ceremony);
    const name = await addPasskey(user.id, passkey, { network, sessionId: user.sessionId });
    await endPasskeyOffer();
    return name;
  },
});

/** Which passkeys of the signed-in user work at this address, as browsers name users and passkeys. */
export const acceptedPasskeys = action({
  run: async (_, { id, username }, { origin }) => {
    const passkeys = await credentialsFor(id, requireRelyingParty(origin));
    const userId = Buffer.from(id).toString("base64url");
    return { userId, username, ids: passkeys.map((passkey) => passkey.id) };
  },
});

/** Gives a passkey of the signed-in user another name. */
export const renameOwnPasskey = action({
  input: z.object({ id: shortId, name: z.string().max(1_000) }),
  // It may have been removed in another window.
  refreshes: "always",
  run: ({ id, name }, user) => renamePasskey(user.id, id, name),
});

/** Removes a passkey of the signed-in user. */
export const removeOwnPasskey = action({
  input: shortId,
  proof: "recent",
  refreshes: "always",
  run: (id, user, { network }) => removePasskey(user.id, id, { network, sessionId: user.sessionId }),
});

/** Shows the offer of a passkey no more in this browser. */
export const declineOffer = action({ who: "anyone", refreshes: true, run: endPasskeyOffer });

const subjectOf = ({ id, sessionId }: { id: string; sessionId: string }) => `${id} ${sessionId}`;

/** The address and browser that a new challenge is for. */
async function challengedBrowser(origin: string) {
  return { party: requireRelyingParty(origin), browser: await namedPasskeyBrowser() };
}

/** The address and browser that a response comes from. */
async function respondingBrowser(origin: string) {
  return { party: requireRelyingParty(origin), browser: await passkeyBrowser() };
}
