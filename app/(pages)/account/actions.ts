"use server";

import { z } from "zod";
import { grantOf } from "@/components/words";
import { createToken } from "@/lib/accounts/identity/access-tokens/create";
import { revealToken, rotateToken, tokenCreatedAt } from "@/lib/accounts/identity/token";
import { rememberThisBrowser } from "@/lib/accounts/session/cookies";
import { endOtherSessions, endSession } from "@/lib/accounts/session/sessions";
import { changePassword } from "@/lib/accounts/ways-in/change-password";
import { startConnecting } from "@/lib/accounts/ways-in/connect";
import { disconnectIdentity } from "@/lib/accounts/ways-in/identities";
import { emailOf, enterAddress, removeAddress, sendAgain } from "@/lib/accounts/ways-in/mail/addresses";
import { storedProvider } from "@/lib/accounts/ways-in/providers";
import { createRecoveryCodes } from "@/lib/accounts/ways-in/recovery/codes";
import { offerAllKeys } from "@/lib/keys/offers";
import { ApiError } from "@/lib/platform/errors";
import { deleteAccount } from "@/lib/user-data/delete";
import { removeToken } from "@/lib/user-data/revoke-token";
import { existingName } from "../_keys/input";
import { accessField, action, endField } from "../action";

/** A token, and since when the user has it, in Unix ms: a replaced one is no longer shown. */
export interface ShownToken {
  text: string;
  createdAt: number;
}

/** The signed-in user's token. */
export const reveal = action({ proof: "recent", run: (_, { id }) => present(id) });

/** Gives the signed-in user a new token, and returns it. */
export const rotate = action({
  proof: "recent",
  refreshes: true,
  run: async (_, { id }) => {
    await rotateToken(id);
    return present(id);
  },
});

async function present(userId: string): Promise<ShownToken> {
  const createdAt = (await tokenCreatedAt(userId)).getTime();
  return { text: await revealToken(userId), createdAt };
}

/** Of a form, with whatever fields a browser sends. */
const newTokenForm = z
  .record(z.string(), z.unknown())
  .pipe(z.object({ name: z.string(), access: accessField, ends: endField, audience: z.string().optional() }));

/** Creates a token of a program's own, which cannot be shown again. */
export const createOwnToken = action({
  input: newTokenForm,
  proof: "recent",
  once: "createOwnToken",
  storesResult: true,
  refreshes: true,
  run: async ({ name, access, ends, audience }, { id, request }) => {
    const created = await createToken(id, { name, audience, ...grantOf(access, ends) }, { request });
    return { text: created.token, name: created.name };
  },
});

/** Removes a token of a program's own: it stops immediately. */
export const removeOwnToken = action({
  input: z.string().max(100),
  // It may have been removed already.
  refreshes: "always",
  run: async (id, user) => void (await removeToken(user.id, { id })),
});

/**
 * Changes the password and signs out other browsers; with `alsoToken`, also replaces the token. Without a password so
 * far, `current` is ignored, and another recent proof is needed.
 */
export const replacePassword = action({
  input: z.object({ current: z.string(), next: z.string(), alsoToken: z.boolean() }),
  refreshes: true,
  run: async (change, user, { network }) => {
    const passwordHash = await changePassword(user, change, { network });
    await rememberThisBrowser({ id: user.id, passwordHash });
  },
});

/** Signs the user out in one browser. */
export const signOutOf = action({
  input: z.string(),
  refreshes: true,
  run: (sessionId, { id }) => endSession(id, sessionId),
});

/** Signs the user out in every other browser. */
export const signOutElsewhere = action({ refreshes: true, run: (_, user) => endOtherSessions(user) });

/** Called before going to a provider whose account will sign this user in. */
export const connect = action({
  input: z.string(),
  proof: "recent",
  run: (provider, user) => startConnecting(user, provider),
});

/** From now on this provider's account no longer signs this user in. */
export const disconnect = action({
  input: z.string(),
  proof: "recent",
  refreshes: true,
  run: (provider, { id }) => disconnectIdentity(id, storedProvider(provider)),
});

/** Offers all keys of the signed-in user, if they are `expectedCount`. */
export const offerAll = action({
  input: z.object({ username: existingName, expectedCount: z.number() }),
  proof: "recent",
  field: "username",
  once: "offerAll",
  refreshes: true,
  run: ({ username, expectedCount }, caller) => offerAllKeys(caller, username, expectedCount),
});

/** Deletes the account for good, after its name and, if set, its password were entered. */
export const removeAccount = action({
  input: z.object({ username: z.string(), password: z.string() }),
  run: (confirmation, user, { network }) => deleteAccount(user, confirmation, { network }),
});

/** Sends a link to an address of the signed-in user: it will get links that set a new password. */
export const enterEmail = action({
  input: z.string(),
  proof: "recent",
  refreshes: true,
  run: (address, user, { network }) => enterAddress(user, address, { network }),
});

/** The addresses as the page shows them. */
const shownEmail = z.object({ address: z.string().nullable(), pending: z.string().nullable() });

/** Sends another link to the address that waits for one. */
export const sendEmailAgain = action({
  input: shownEmail,
  // It may be verified already.
  refreshes: "always",
  run: async (shown, { id }, { network }) => {
    await requireSame(id, shown);
    await sendAgain(id, { network });
  },
});

/** Removes the user's addresses, and with them a way to recover the account. */
export const removeEmail = action({
  input: shownEmail,
  proof: "recent",
  refreshes: "always",
  run: async (shown, { id }) => {
    await requireSame(id, shown);
    await removeAddress(id);
  },
});

/** Removes the address that is not yet verified. */
export const cancelEmailChange = action({
  input: shownEmail,
  refreshes: "always",
  run: async (shown, { id }) => {
    await requireSame(id, shown);
    await removeAddress(id, { onlyPending: true });
  },
});

/** Throws 409 `address_changed` if they were changed meanwhile, in another tab. */
async function requireSame(userId: string, shown: z.output<typeof shownEmail>): Promise<void> {
  const { address, pending } = (await emailOf(userId)) ?? {};
  if (address !== shown.address || pending !== shown.pending)
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
export const newRecoveryCodes = action({
  input: z.string(),
  refreshes: true,
  run: (password, user, { network }) => createRecoveryCodes(user, password, { network }),
});
