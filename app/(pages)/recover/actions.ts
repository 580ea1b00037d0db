"use server";

import { z } from "zod";
import { requireRelyingParty } from "@/lib/accounts/identity/relying-party";
import { rememberedBrowserCookie, rememberThisBrowser } from "@/lib/accounts/session/cookies";
import { creationOptions, verifyRegistration } from "@/lib/accounts/ways-in/passkeys/add";
import { namedPasskeyBrowser, passkeyBrowser } from "@/lib/accounts/ways-in/passkeys/browser";
import { requestRecovery } from "@/lib/accounts/ways-in/recovery/links";
import {
  type Endings,
  findProven,
  type NewSignInMethod,
  type RecoveryProof,
  recover,
} from "@/lib/accounts/ways-in/recovery/recover";
import { PASSKEY_BYTES } from "@/lib/platform/bounds";
import type { Network } from "@/lib/platform/network/network";
import { recoveryEffects } from "@/lib/user-data/recovery-effects";
import { action } from "../action";
import { unlessBad } from "../visitor";

const proofForm = z.discriminatedUnion("through", [
  z.object({ through: z.literal("link"), secret: z.string() }),
  z.object({ through: z.literal("code"), username: z.string().trim(), code: z.string() }),
]);
const endingsForm = z.object({ passkeys: z.boolean(), providers: z.boolean(), email: z.boolean(), token: z.boolean() });

/** Has a link sent by e-mail, if the account has a verified address. Nothing tells whether it has. */
export const requestLink = action({
  who: "anyone",
  input: z.string().max(1_000),
  run: async (username, _nobody, { network }) =>
    requestRecovery(username, { network, cookie: await rememberedBrowserCookie() }),
});

/** Whose account this proves, and what coming back can end; null for a link that cannot be used. Changes nothing. */
export const previewRecovery = action({
  who: "anyone",
  input: proofForm,
  run: async (proof, _nobody, { network }) => {
    const user = await unlessBad(findProven(proof, { network }));
    return user && recoveryEffects(user);
  },
});

/** Sets a new password. Null for a link that cannot be used. */
export const recoverWithPassword = action({
  who: "anyone",
  input: z.object({ proof: proofForm, password: z.string(), endings: endingsForm }),
  run: ({ proof, password, endings }, _nobody, { network }) =>
    recoverAccount(proof, { signInMethod: { password }, endings }, network),
});

/** What this browser needs to create a passkey instead. Null for a link that cannot be used. */
export const optionsToRecover = action({
  who: "anyone",
  input: z.object({ proof: proofForm, replacesAll: z.boolean() }),
  run: async ({ proof, replacesAll }, _nobody, { network, origin }) => {
    const user = await unlessBad(findProven(proof, { network }));
    if (!user) return null;
    const party = requireRelyingParty(origin);
    const browser = await namedPasskeyBrowser();
    return creationOptions({ ...user, replacesAll }, { purpose: "recover", party, browser, subject: user.id });
  },
});

/** Stores the passkey that this browser created, and ends the password. Null for a link that cannot be used. */
export const recoverWithPasskey = action({
  who: "anyone",
  input: z.object({ proof: proofForm, response: z.unknown(), endings: endingsForm }),
  maxBytes: PASSKEY_BYTES,
  run: async ({ proof, response, endings }, _nobody, { network, origin }) => {
    const user = await unlessBad(findProven(proof, { network }));
    if (!user) return null;
    const party = requireRelyingParty(origin);
    const ceremony = { purpose: "recover", party, browser: await passkeyBrowser(), subject: user.id } as const;
    const passkey = await verifyRegistration(response, ceremony);
    return recoverAccount(proof, { signInMethod: { passkey }, endings }, network);
  },
});

async function recoverAccount(
  proof: RecoveryProof,
  change: { signInMethod: NewSignInMethod; endings: Endings },
  network: Network,
): Promise<{ username: string } | null> {
  const user = await unlessBad(recover(proof, change, { network }));
  if (!user) return null;
  await rememberThisBrowser(user);
  return { username: user.username };
}
