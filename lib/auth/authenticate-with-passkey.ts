import { z } from "zod";
import { accountDisabled } from "@/lib/errors";
import type { Network } from "@/lib/network";
import { passkeyRefused } from "@/lib/passkeys/errors";
import { provePasskey } from "@/lib/passkeys/prove";
import { verifyRegistration } from "@/lib/passkeys/register";
import type { RelyingParty } from "@/lib/passkeys/relying-party";
import { usernameKey } from "@/lib/usernames";
import { countPasskeyAttempt } from "./password-limits";
import { signUp } from "./users";

/** Where a browser's answer comes from. */
export interface PasskeySource {
  party: RelyingParty;
  /** The browser that the challenge was made for. */
  browser: string;
  network: Network;
}

/** The subject of a challenge for signing up: a name, and the id of the account that will have it. */
export const newcomer = (username: string, userId: string) => `${userId} ${usernameKey(username)}`;

/**
 * The user whose passkey answered, and which one. Throws as `provePasskey` does, 403 `account_disabled`, and 429
 * `rate_limited` after too many failures from this network, which wrong passwords count towards too.
 */
export async function authenticateWithPasskey(
  answer: unknown,
  { party, browser, network }: PasskeySource,
  now = new Date(),
): Promise<{ id: string; passkeyId: string }> {
  const attempt = await countPasskeyAttempt(network);
  const user = await provePasskey(answer, party, { purpose: "sign in", browser, subject: "" }, now);
  await attempt.succeeded();
  if (user.disabledAt) throw accountDisabled();
  return { id: user.id, passkeyId: user.passkeyId };
}

const newAccount = z.object({ username: z.string().max(200), userId: z.string().regex(/^[0-9a-f]{32}$/) });

/**
 * Creates an account with a passkey and without a password. `wanted` is what `/signup` asked a challenge for. Throws as
 * `signUp` and `verifyRegistration` do.
 */
export async function signUpWithPasskey(
  wanted: unknown,
  answer: unknown,
  { party, browser, network }: PasskeySource,
  now = new Date(),
): Promise<{ id: string }> {
  const { username, userId } = newAccount.safeParse(wanted).data ?? refuse();
  const subject = newcomer(username, userId);
  const passkey = await verifyRegistration(answer, party, { purpose: "sign up", browser, subject }, now);
  return signUp({ username, passkey: { ...passkey, userId } }, network);
}

function refuse(): never {
  throw passkeyRefused();
}
