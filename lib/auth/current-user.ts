import type { NextApiRequest, NextApiResponse } from "next";
import { cookies, headers } from "next/headers";
import { getServerSession, type Session } from "next-auth";
import { unavailable } from "@/lib/errors";
import { originOf } from "@/lib/origin";
import { noteUser } from "@/lib/request-user";
import type { Caller } from "@/lib/user";
import { cookieAt, SESSION_COOKIE } from "./cookie-at";
import { authOptions } from "./options";
import { configuredProviders, storedProvider } from "./providers";
import { recordSeen } from "./seen";
import type { ProviderIdentity } from "./users";

export type SignedIn = Caller & { sessionId: string };

/** The user signed in in this browser, from the cookie and its row, or null. For pages and their actions. */
export async function currentUser(): Promise<SignedIn | null> {
  const session = await currentSession();
  if (!session?.sessionId) return null;
  // The digest is all that Next passes to a page about an error.
  if (!session.user) throw Object.assign(unavailable(), { digest: "unavailable" });
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
  const [sent, jar] = await Promise.all([headers(), cookies()]);
  const origin = originOf({ headers: sent });
  // Not all cookies: NextAuth reports that it is misconfigured if somebody forged another one of its own.
  const ours = jar.getAll().filter(({ name }) => name.startsWith(cookieAt(origin, SESSION_COOKIE).name));
  const request = {
    headers: Object.fromEntries(sent),
    cookies: Object.fromEntries(ours.map(({ name, value }) => [name, value])),
  };
  return getServerSession(request as unknown as NextApiRequest, NO_ANSWER, authOptions(origin));
}

/** A page sets no cookie. */
const NO_ANSWER = { getHeader() {}, setHeader() {} } as unknown as NextApiResponse;
