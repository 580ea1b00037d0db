import { timingSafeEqual } from "node:crypto";
import { audit } from "@/lib/platform/audit";
import { keyedHashes } from "@/lib/platform/crypto/secrets";
import { transaction } from "@/lib/platform/db/client";
import { isUniqueViolation } from "@/lib/platform/db/errors";
import type { NoticeContext } from "../context";
import { identityTaken } from "../errors";
import type { ProviderIdentity } from "../identity/user";
import { ownCookie } from "../session/cookies";
import { currentUser, type SignedIn, sessionHere } from "../session/current-user";
import { userOfIdentity } from "./identities";
import { notify } from "./mail/outbox";
import { configuredProviders, providerName, storedProvider } from "./providers";

/** The identity that has signed in at a provider but has no user here yet, or null. */
export async function pendingIdentity(): Promise<ProviderIdentity | null> {
  const identity = (await sessionHere())?.identity;
  // The cookie may predate a change of the providers.
  const isOffered = configuredProviders().some(({ id }) => storedProvider(id) === identity?.provider);
  return identity && isOffered ? identity : null;
}

const connectCookie = () => ownCookie("connect", "/api/auth");
const SECONDS = 600;

/**
 * Remembers for ten minutes that this session began to connect an account at `provider`. A return from a provider must
 * not connect it just because somebody is signed in (contract, section 5: identities).
 */
export async function startConnecting(user: SignedIn, provider: string): Promise<void> {
  (await connectCookie()).set(intentsOf(user, provider)[0], SECONDS);
}

/** The signed-in user who started connecting, or null. */
export async function connectIntent(provider: string): Promise<SignedIn | null> {
  const { value } = await connectCookie();
  if (!value) return null;
  const user = await currentUser();
  if (!user) return null;
  const matches = intentsOf(user, provider).some(
    (intent) => value.length === intent.length && timingSafeEqual(Buffer.from(value), Buffer.from(intent)),
  );
  return matches ? user : null;
}

/** The value of the cookie, under each secret. */
function intentsOf(user: SignedIn, provider: string): [string, ...string[]] {
  return keyedHashes("sessions", `connect ${provider} ${user.sessionId}`);
}

/**
 * Connects a provider's account to this user, for signing in, and notifies the verified e-mail address. Throws 409
 * `identity_taken` if it signs in somebody else.
 */
export async function connectIdentity(
  userId: string,
  identity: ProviderIdentity,
  { network, sessionId, now = new Date() }: NoticeContext = {},
): Promise<void> {
  try {
    await transaction(async (tx) => {
      await tx.identity.create({ data: { ...identity, userId, createdAt: now } });
      const detail = { name: providerName(identity.provider) };
      await audit({ at: now, action: "provider.connect", subjectId: userId, actorId: userId, detail }, tx);
      await notify(tx, userId, { kind: "provider connected", network, sessionId, now });
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const owner = await userOfIdentity(identity);
    if (owner?.id !== userId) throw identityTaken();
  }
}
