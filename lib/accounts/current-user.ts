import { timingSafeEqual } from "node:crypto";
import type { NextApiRequest, NextApiResponse } from "next";
import { cookies, headers } from "next/headers";
import { getServerSession, type Session } from "next-auth";
import { keyedHashes } from "@/lib/platform/crypto/secrets";
import { unavailable } from "@/lib/platform/errors";
import { originOf } from "@/lib/platform/network/host";
import { noteUnavailable, noteUser } from "@/lib/platform/request";
import { ownCookie } from "./cookies";
import type { ProviderIdentity } from "./create";
import { authOptions } from "./next-auth";
import { configuredProviders, storedProvider } from "./providers";
import { cookieAt, SESSION_COOKIE } from "./session-cookie";
import { recordSeen } from "./token";
import type { Caller } from "./user";

export type SignedIn = Caller & { sessionId: string };

/** The user signed in in this browser, from the cookie and its row, or null. For pages and their actions. */
export async function currentUser(): Promise<SignedIn | null> {
  const session = await currentSession();
  if (!session?.sessionId) return null;
  if (!session.user) {
    noteUnavailable();
    // The digest is all that Next passes to a page about an error.
    throw Object.assign(unavailable(), { digest: "unavailable" });
  }
  noteUser(session.user.id);
  recordSeen(session.user.id);
  return { ...session.user, sessionId: session.sessionId };
}

/** The identity that has signed in at a provider but has no user here yet, or null. */
export async function pendingIdentity(): Promise<ProviderIdentity | null> {
  const identity = (await currentSession())?.identity;
  // The cookie may predate a change of the providers.
  const isOffered = configuredProviders().some(({ id }) => storedProvider(id) === identity?.provider);
  return identity && isOffered ? identity : null;
}

async function currentSession(): Promise<Session | null> {
  const [requestHeaders, jar] = await Promise.all([headers(), cookies()]);
  const origin = originOf({ headers: requestHeaders });
  // Not all cookies: NextAuth reports that it is misconfigured if somebody forged another one of its own.
  const ours = jar.getAll().filter(({ name }) => name.startsWith(cookieAt(origin, SESSION_COOKIE).name));
  const request = {
    headers: Object.fromEntries(requestHeaders),
    cookies: Object.fromEntries(ours.map(({ name, value }) => [name, value])),
  };
  return getServerSession(request as unknown as NextApiRequest, NO_RESPONSE, authOptions(origin));
}

/** A page sets no cookie. */
const NO_RESPONSE = { getHeader() {}, setHeader() {} } as unknown as NextApiResponse;

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
