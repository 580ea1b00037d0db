import { timingSafeEqual } from "node:crypto";
import { keyedHashes } from "@/lib/secrets";
import { currentUser, type SignedIn } from "./current-user";
import { ownCookie } from "./own-cookie";

const connectCookie = () => ownCookie("connect", "/api/auth");
const SECONDS = 600;

/**
 * Remembers for ten minutes that this session asked to connect an account at `provider`. A return from a provider must
 * not connect it just because somebody is signed in (contract, section 5: identities).
 */
export async function startConnecting(user: SignedIn, provider: string): Promise<void> {
  (await connectCookie()).set(intentsOf(user, provider)[0], SECONDS);
}

/** The signed-in user who started connecting, or null. */
export async function connectIntent(provider: string): Promise<SignedIn | null> {
  const sent = (await connectCookie()).value;
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
