"use server";

import { z } from "zod";
import {
  namedPasskeyBrowser,
  passkeyBrowser,
  rememberedBrowserCookie,
  rememberThisBrowser,
} from "@/lib/accounts/cookies";
import { creationOptions, verifyRegistration } from "@/lib/accounts/passkeys/add";
import { requireRelyingParty } from "@/lib/accounts/passkeys/relying-party";
import { requestRecovery } from "@/lib/accounts/recovery/links";
import {
  type Endings,
  findProven,
  type NewSignInMethod,
  type RecoveryProof,
  recover,
} from "@/lib/accounts/recovery/recover";
import { type RecoveryEffects, recoveryEffects } from "@/lib/user-data/overview";
import { type Outcome, outcome, pageOrigin, requestContext, unlessBad } from "../outcome";
import { read } from "../read";

const proofForm = z.discriminatedUnion("through", [
  z.object({ through: z.literal("link"), secret: z.string() }),
  z.object({ through: z.literal("code"), username: z.string().trim(), code: z.string() }),
]);
const endingsForm = z.object({ passkeys: z.boolean(), providers: z.boolean(), email: z.boolean(), token: z.boolean() });

/** Has a link sent by e-mail, if the account has a verified address. Nothing tells whether it has. */
export async function requestLink(username: string): Promise<Outcome<void>> {
  return outcome(async () =>
    requestRecovery(read(z.string().max(1_000), username), {
      ...(await requestContext()),
      cookie: await rememberedBrowserCookie(),
    }),
  );
}

/** Whose account this proves, and what coming back can end; null for a link that cannot be used. Changes nothing. */
export async function previewRecovery(proof: RecoveryProof): Promise<Outcome<RecoveryEffects | null>> {
  return outcome(async () => {
    const user = await proven(proof);
    return user && recoveryEffects(user);
  });
}

/** Sets a new password. Null for a link that cannot be used. */
export async function recoverWithPassword(
  proof: RecoveryProof,
  password: string,
  endings: Endings,
): Promise<Outcome<{ username: string } | null>> {
  return outcome(async () => recoverAccount(proof, { password: read(z.string(), password) }, endings));
}

/** What this browser needs to create a passkey instead. Null for a link that cannot be used. */
export async function optionsToRecover(proof: RecoveryProof, replacesAll: boolean) {
  return outcome(async () => {
    const user = await proven(proof);
    if (!user) return null;
    const party = requireRelyingParty(await pageOrigin());
    const browser = await namedPasskeyBrowser();
    const ceremony = { purpose: "recover", party, browser, subject: user.id } as const;
    return creationOptions({ ...user, replacesAll: read(z.boolean(), replacesAll) }, ceremony);
  });
}

/** Stores the passkey that this browser created, and ends the password. Null for a link that cannot be used. */
export async function recoverWithPasskey(
  proof: RecoveryProof,
  response: unknown,
  endings: Endings,
): Promise<Outcome<{ username: string } | null>> {
  return outcome(async () => {
    const user = await proven(proof);
    if (!user) return null;
    const party = requireRelyingParty(await pageOrigin());
    const ceremony = { purpose: "recover", party, browser: await passkeyBrowser(), subject: user.id } as const;
    const passkey = await verifyRegistration(response, ceremony);
    return recoverAccount(proof, { passkey }, endings);
  });
}

async function proven(proof: RecoveryProof) {
  return unlessBad(findProven(read(proofForm, proof), await requestContext()));
}

async function recoverAccount(
  proof: RecoveryProof,
  signInMethod: NewSignInMethod,
  endings: Endings,
): Promise<{ username: string } | null> {
  const change = { signInMethod, endings: read(endingsForm, endings) };
  const user = await unlessBad(recover(read(proofForm, proof), change, await requestContext()));
  if (!user) return null;
  const { id, username, passwordHash } = user;
  if (passwordHash) await rememberThisBrowser({ id, passwordHash });
  return { username };
}
