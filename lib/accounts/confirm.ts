import { db } from "@/lib/platform/db/client";
import { passkeyRefused } from "@/lib/platform/errors";
import { passwordHashOf } from "./create";
import { identitiesOf } from "./identities";
import { countPasskeyAttempt } from "./limits";
import type { Ceremony } from "./passkeys/challenge";
import { provePasskey } from "./passkeys/prove";
import type { RelyingParty } from "./passkeys/relying-party";
import { configuredProviders, storedProvider } from "./providers";
import { type InSession, recordProof } from "./sessions";
import type { PasskeyContext } from "./sign-in";

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
