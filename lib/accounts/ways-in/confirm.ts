import { db } from "@/lib/platform/db/client";
import { ApiError } from "@/lib/platform/errors";
import type { Network } from "@/lib/platform/network/network";
import type { NetworkContext } from "../context";
import { passkeyRefused, wrongPassword } from "../errors";
import type { RelyingParty } from "../identity/relying-party";
import { recordProof, requireRecentProof } from "../session/proof";
import type { InSession } from "../session/sessions";
import { identitiesOf } from "./identities";
import { countPasskeyAttempt, type PasswordSource } from "./limits";
import type { Ceremony, PasskeyContext } from "./passkeys/challenge";
import { provePasskey } from "./passkeys/prove";
import { passwordHashOf } from "./passwords";
import { configuredProviders, storedProvider } from "./providers";
import { attemptPassword } from "./sign-in";

/** How a signed-in user can confirm who they are. */
export interface ConfirmationMethods {
  username: string;
  /** There is a passkey for this address. */
  passkey: boolean;
  password: boolean;
  /** Providers to sign in with again, if there is nothing else. */
  providers: { id: string; name: string }[];
}

/** How this user can confirm at this address. `party`: null if there are no passkeys here. */
export async function confirmationMethods(
  { id: userId, username }: { id: string; username: string },
  party: RelyingParty | null,
): Promise<ConfirmationMethods> {
  const [passwordHash, passkeys, identities] = await Promise.all([
    passwordHashOf(userId),
    party ? db.passkey.count({ where: { userId, host: party.id } }) : 0,
    identitiesOf(userId),
  ]);
  const password = passwordHash !== null;
  const passkey = passkeys > 0;
  const connected = identities.map(({ provider }) => provider);
  const providers =
    password || passkey ? [] : configuredProviders().filter(({ id }) => connected.includes(storedProvider(id)));
  return { username, passkey, password, providers };
}

/** The ceremony in which this user confirms, in this session and browser only. */
export const confirmationCeremony = (
  { id, sessionId }: InSession,
  { party, browser }: Pick<Ceremony, "party" | "browser">,
): Ceremony => ({ party, purpose: "confirm", browser, subject: `${id} ${sessionId}` });

/**
 * Confirms with a passkey of the signed-in user; `provePassword` does so with the password. Throws as `provePasskey`
 * does, 401 `passkey_refused` for somebody else's, and 429 `rate_limited` as signing in does.
 */
export async function confirmByPasskey(
  user: InSession,
  response: unknown,
  { party, browser, network, now = new Date() }: PasskeyContext,
): Promise<void> {
  const attempt = await countPasskeyAttempt(network);
  const proven = await provePasskey(response, confirmationCeremony(user, { party, browser }), now);
  if (proven.id !== user.id || proven.disabledAt) throw passkeyRefused();
  await attempt.succeeded();
  await recordProof(user, "passkey", now);
}

/** A user in one of their browsers, by name. */
export type SignedInUser = InSession & { username: string };

/**
 * Verifies that the signed-in user knows the account's password: a proof for the next ten minutes. An account without
 * one needs another recent proof. Returns the password's hash, or null. A session counts as a remembered browser.
 * Throws 401 `wrong_password`, 403 `proof_needed` and 429 `rate_limited`.
 */
export async function provePassword(
  user: SignedInUser,
  password: string,
  { network, now = new Date() }: NetworkContext,
): Promise<string | null> {
  const passwordHash = await passwordHashOf(user.id);
  if (passwordHash === null) {
    await requireRecentProof(user, now);
    return null;
  }
  const account = { username: user.username, passwordHash };
  await attemptPassword(account, password, fromSession(user, network)).catch((error) => {
    if (error instanceof ApiError && error.code === "wrong_password")
      throw wrongPassword("That is not your current password.", "current");
    throw error;
  });
  await recordProof(user, "password", now);
  return passwordHash;
}

/** A password that is entered in a session: it counts as a remembered browser. */
export function fromSession({ sessionId }: InSession, network: Network): PasswordSource {
  return { network, browser: `session ${sessionId}` };
}
