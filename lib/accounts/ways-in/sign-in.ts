import { db } from "@/lib/platform/db/client";
import type { Network } from "@/lib/platform/network/network";
import { accountDisabled, wrongPassword } from "../errors";
import { usernameKey } from "../identity/user";
import { rememberedBrowser } from "../session/remembered-browser";
import { hasSignedInFrom } from "../session/sessions";
import { countAttempt, countPasskeyAttempt, hashedFor, type PasswordSource } from "./limits";
import type { PasskeyContext } from "./passkeys/challenge";
import { provePasskey } from "./passkeys/prove";
import { verifyPassword } from "./passwords";

/**
 * The user with this name and password. A wrong password and an unknown name give the same error after the same time:
 * 401 `wrong_password`. Throws 403 `account_disabled`, and 429 `rate_limited` after too many failures: see
 * `countAttempt`. `cookie` is that by which this browser is remembered, if it is.
 */
export async function authenticate(
  username: string,
  password: string,
  { network, cookie }: { network: Network; cookie?: string },
): Promise<{ id: string; username: string; passwordHash: string }> {
  const user = await db.user.findUnique({ where: { usernameKey: usernameKey(username) } });
  const browser = user ? rememberedBrowser(cookie, user) : undefined;
  const isUsual = await hasSignedInFrom(user?.id ?? "", network.id);
  const account = { username, passwordHash: user?.passwordHash ?? null };
  await attemptPassword(account, password, { network, browser, isUsual });
  if (!user || user.passwordHash === null) throw wrongPassword();
  if (user.disabledAt) throw accountDisabled();
  return { id: user.id, username: user.username, passwordHash: user.passwordHash };
}

/** Throws 401 `wrong_password`, and 429 as `countAttempt` and `verifyPassword` do. */
export async function attemptPassword(
  { username, passwordHash }: { username: string; passwordHash: string | null },
  password: string,
  from: PasswordSource,
): Promise<void> {
  const attempt = await countAttempt(username, from);
  const isRight = await verifyPassword(passwordHash, password, hashedFor(from)).catch(async (error) => {
    await attempt.unchecked();
    throw error;
  });
  if (!isRight) throw wrongPassword();
  await attempt.succeeded();
}

/**
 * The user whose passkey responded, and which one. Throws as `provePasskey` does, 403 `account_disabled`, and 429
 * `rate_limited` after too many failures from this network, which wrong passwords count towards too.
 */
export async function authenticateWithPasskey(
  response: unknown,
  { party, browser, network, now = new Date() }: PasskeyContext,
): Promise<{ id: string; passkeyId: string }> {
  const attempt = await countPasskeyAttempt(network);
  const user = await provePasskey(response, { party, purpose: "sign in", browser, subject: "" }, now);
  await attempt.succeeded();
  if (user.disabledAt) throw accountDisabled();
  return { id: user.id, passkeyId: user.passkeyId };
}
