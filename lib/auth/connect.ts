import { timingSafeEqual } from "node:crypto";
import { cookies } from "next/headers";
import { keyedHashes } from "@/lib/secrets";
import { currentUser, type SignedIn } from "./current-user";

const COOKIE = "latchkey_connect";

/**
 * Remembers for ten minutes that this session asked to connect an account at `provider`. A return from a provider must
 * not connect it just because somebody is signed in (contract, section 5: identities).
 */
export async function startConnecting(user: SignedIn, provider: string, secure: boolean): Promise<void> {
  const options = { httpOnly: true, sameSite: "lax", secure, path: "/api/auth", maxAge: 600 } as const;
  (await cookies()).set(COOKIE, intentsOf(user, provider)[0], options);
}

/** The signed-in user who started connecting, or null. */
export async function connectIntent(provider: string): Promise<SignedIn | null> {
  const sent = (await cookies()).get(COOKIE)?.value;
  if (!sent) return null;
  const user = await currentUser();
  if (!user) return null;
  const matches = intentsOf(user, provider).some(
    (intent) => sent.length === intent.length && timingSafeEqual(Buffer.from(sent), Buffer.from(intent)),
  );
  return matches ? user : null;
}

/** The value of the cookie, under each secret. */
function intentsOf(user: SignedIn, provider: string): [string, ...string[]] {
  return keyedHashes("sessions", `connect ${provider} ${user.sessionId}`);
}
