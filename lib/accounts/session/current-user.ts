import { timingSafeEqual } from "node:crypto";
import { headers } from "next/headers";
import { keyedHashes } from "@/lib/platform/crypto/secrets";
import { unavailable } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import { originOf } from "@/lib/platform/network/host";
import { noteUnavailable, noteUser } from "@/lib/platform/request";
import { recordSeen } from "../identity/token";
import type { Caller } from "../identity/user";
import type { ProviderIdentity } from "../ways-in/create";
import { configuredProviders, storedProvider } from "../ways-in/providers";
import { ownCookie } from "./cookies";
import { readSessionCookie } from "./session-cookie";
import { sessionUser } from "./sessions";

export type SignedIn = Caller & { sessionId: string };

/** The user signed in in this browser, from the cookie and its row, or null. For pages and their actions. */
export async function currentUser(): Promise<SignedIn | null> {
  const sessionId = (await sessionHere())?.sessionId;
  if (!sessionId) return null;
  const user = await sessionUser(sessionId).catch((error) => {
    log.error({ err: error }, "a session could not be looked up");
    noteUnavailable();
    // The digest is all that Next passes to a page about an error.
    throw Object.assign(unavailable(), { digest: "unavailable" });
  });
  if (!user) return null;
  noteUser(user.id);
  recordSeen(user.id);
  return { ...user, sessionId };
}

/** The identity that has signed in at a provider but has no user here yet, or null. */
export async function pendingIdentity(): Promise<ProviderIdentity | null> {
  const identity = (await sessionHere())?.identity;
  // The cookie may predate a change of the providers.
  const isOffered = configuredProviders().some(({ id }) => storedProvider(id) === identity?.provider);
  return identity && isOffered ? identity : null;
}

async function sessionHere() {
  const requested = await headers();
  return readSessionCookie(requested.get("cookie"), originOf({ headers: requested }));
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
