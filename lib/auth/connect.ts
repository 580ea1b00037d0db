import { timingSafeEqual } from "node:crypto";
import { cookies } from "next/headers";
import { keyedHash } from "@/lib/secrets";
import { currentUser, type SignedIn } from "./session";

const COOKIE = "latchkey_connect";

/**
 * Remembers for ten minutes that this session asked to connect an account at `provider`. Coming back from a provider while
 * somebody happens to be signed in must connect nothing (contract, section 5: "linked from /account only").
 */
export async function startConnecting(user: SignedIn, provider: string, secure: boolean): Promise<void> {
  const options = { httpOnly: true, sameSite: "lax", secure, path: "/api/auth", maxAge: 600 } as const;
  (await cookies()).set(COOKIE, intentOf(user, provider), options);
}

/** The id of the signed-in user who asked for it, or null. */
export async function connectIntent(provider: string): Promise<string | null> {
  const sent = (await cookies()).get(COOKIE)?.value;
  if (!sent) return null;
  const user = await currentUser();
  if (!user) return null;
  const expected = intentOf(user, provider);
  const matches = sent.length === expected.length && timingSafeEqual(Buffer.from(sent), Buffer.from(expected));
  return matches ? user.id : null;
}

function intentOf(user: SignedIn, provider: string): string {
  return keyedHash("sessions", `connect ${provider} ${user.sessionId}`);
}
