import { audit } from "@/lib/platform/audit";
import { PROOF_MS } from "@/lib/platform/bounds";
import { db, transaction } from "@/lib/platform/db/client";
import { openAt } from "@/lib/platform/db/lock";
import { ApiError, passkeyRefused } from "@/lib/platform/errors";
import { isRecent, later, latestNow } from "@/lib/platform/time";
import type { PasskeyContext } from "../context";
import type { RelyingParty } from "../identity/relying-party";
import type { InSession } from "../session/sessions";
import { passwordHashOf } from "./create";
import { identitiesOf } from "./identities";
import { countPasskeyAttempt } from "./limits";
import type { Ceremony } from "./passkeys/challenge";
import { provePasskey } from "./passkeys/prove";
import { configuredProviders, storedProvider } from "./providers";

/** What pages recognize, to ask for a proof. */
export const PROOF_NEEDED = "proof_needed";

/**
 * Whether this session's user proved who they are within `PROOF_MS`. A proof in another browser does not count.
 */
export async function hasRecentProof({ id: userId, sessionId }: InSession, now = new Date()): Promise<boolean> {
  const session = await db.session.findUnique({
    where: { id: sessionId, userId, ...openAt(now) },
    select: { createdAt: true, provenAt: true },
  });
  if (!session) return false;
  return isRecent(PROOF_MS, session.provenAt ?? session.createdAt, now);
}

/** Throws 403 `proof_needed` unless `hasRecentProof`. */
export async function requireRecentProof(user: InSession, now = new Date()): Promise<void> {
  if (!(await hasRecentProof(user, now)))
    throw new ApiError(403, PROOF_NEEDED, "Confirm it's you first, with your passkey or password.");
}

/**
 * Records that this session's user has just proved who they are, in the history of the account if it is the first time
 * in ten minutes. Nothing, if the session has ended or the user is disabled.
 */
export async function recordProof(
  { id: userId, sessionId }: InSession,
  through: "passkey" | "password",
  now: Date,
): Promise<void> {
  const here = { id: sessionId, userId, ...openAt(now) };
  const former = [{ provenAt: { lte: later(now, -PROOF_MS) } }, { provenAt: { gt: latestNow(now) } }];
  const isFirst = { OR: [{ provenAt: null }, ...former] };
  const data = { provenAt: now };
  await transaction(async (tx) => {
    if ((await tx.session.updateMany({ where: { ...here, ...isFirst }, data })).count === 1)
      await audit({ at: now, action: "user.confirm", subjectId: userId, actorId: userId, detail: { through } }, tx);
    else await tx.session.updateMany({ where: here, data });
  }, "even on a full disk");
}

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
