import { z } from "zod";
import { audit } from "@/lib/platform/audit";
import { keyedHashes, seal, unseal } from "@/lib/platform/crypto/secrets";
import { db, transaction } from "@/lib/platform/db/client";
import { ApiError, accountDisabled, passkeyRefused, wrongPassword } from "@/lib/platform/errors";
import { newId } from "@/lib/platform/ids";
import type { Network } from "@/lib/platform/network/network";
import type { NetworkContext, PasskeyContext } from "../context";
import { replaceToken } from "../identity/token";
import { keepKind, usernameKey } from "../identity/user";
import { hasSignedInFrom, type InSession } from "../session/sessions";
import { recordProof, requireRecentProof } from "./confirm";
import { endWaysIn, passwordHashOf, signUp } from "./create";
import { countAttempt, countPasskeyAttempt, hashedFor, type PasswordSource } from "./limits";
import { notify } from "./mail/outbox";
import { verifyRegistration } from "./passkeys/add";
import { provePasskey } from "./passkeys/prove";
import { checkPassword, hashPassword, verifyPassword } from "./passwords";

type SignedInUser = InSession & { username: string };

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
async function attemptPassword(
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
 * Verifies that the signed-in user knows the account's password: a proof for the next ten minutes. An account without
 * one needs another recent proof. Returns the password's hash, or null. A session counts as a remembered browser.
 * Throws 401 `wrong_password`, 403 `proof_needed` and 429 `rate_limited`.
 */
export async function provePassword(
  user: SignedInUser,
  password: string,
  { network, now = new Date() }: NetworkContext,
): Promise<string | null> {
  const passwordHash = await passwordHashOf(user.id);
  if (passwordHash === null) {
    await requireRecentProof(user, now);
    return null;
  }
  const account = { username: user.username, passwordHash };
  await attemptPassword(account, password, fromSession(user, network)).catch((error) => {
    if (error instanceof ApiError && error.code === "wrong_password")
      throw wrongPassword("That is not your current password.", "current");
    throw error;
  });
  await recordProof(user, "password", now);
  return passwordHash;
}

function fromSession({ sessionId }: InSession, network: Network): PasswordSource {
  return { network, browser: `session ${sessionId}` };
}

/**
 * Changes a user's own password, signs out every other browser and ends open links. With `alsoToken`, the
 * user gets a new token in the same step. An account without a password gets its first one, after another recent proof.
 * Returns the new hash. Throws as `provePassword` does, and 400 for a password that is too short.
 */
export async function changePassword(
  user: SignedInUser,
  { current, next, alsoToken = false }: { current: string; next: string; alsoToken?: boolean },
  { network, now = new Date() }: NetworkContext,
): Promise<string> {
  await checkPassword(next);
  const passwordHash = await provePassword(user, current, { network, now });
  const replaced = await hashPassword(next, hashedFor(fromSession(user, network)));
  await transaction(async (tx) => {
    const { count } = await tx.user.updateMany({
      where: { id: user.id, passwordHash },
      data: { passwordHash: replaced },
    });
    if (count === 0) throw new ApiError(409, "password_changed", "The password has been changed since. Sign in again.");
    await keepKind(tx, user.id);
    await endWaysIn(tx, user.id, user.sessionId);
    await audit({ at: now, action: "user.password", subjectId: user.id, actorId: user.id }, tx);
    await notify(tx, user.id, { kind: "password changed", network, sessionId: user.sessionId, now });
    if (alsoToken) await replaceToken(tx, user.id, { now });
  }, "even on a full disk");
  return replaced;
}

/** The subject of a challenge for signing up: a name, and the id of the account that will have it. */
export const newcomer = (username: string, userId: string) => `${userId} ${usernameKey(username)}`;

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

const newAccount = z.object({ username: z.string().max(200), userId: z.string().regex(/^[0-9a-f]{32}$/) });

/**
 * Creates an account with a passkey and without a password. `account` is what `/signup` requested a challenge for.
 * Throws as `signUp` and `verifyRegistration` do.
 */
export async function signUpWithPasskey(
  account: unknown,
  response: unknown,
  { party, browser, network, now = new Date() }: PasskeyContext,
): Promise<{ id: string }> {
  const { username, userId } = newAccount.safeParse(account).data ?? refuse();
  const subject = newcomer(username, userId);
  const passkey = await verifyRegistration(response, { party, purpose: "sign up", browser, subject }, now);
  return signUp({ username, passkey: { ...passkey, userId } }, { network, now });
}

function refuse(): never {
  throw passkeyRefused();
}

/**
 * The cookie of a browser that has signed in before (OWASP, "Slow down online guessing attacks with device cookies").
 */
export const REMEMBERED_BROWSER_COOKIE = "known";
export const REMEMBERED_BROWSER_SECONDS = 365 * 24 * 3600;
/** How many accounts remember a shared browser: the cookie is sent with every request. */
const ACCOUNTS = 3;
const CONTEXT = "known browser";

const rememberedBrowsers = z
  .array(z.object({ user: z.string(), browser: z.string(), password: z.string() }))
  .max(ACCOUNTS);
type RememberedBrowsers = z.infer<typeof rememberedBrowsers>;

interface Account {
  id: string;
  passwordHash: string | null;
}

/**
 * The name of the browser with this cookie, if it has signed in to the account under its current password; otherwise
 * undefined. A password change invalidates every earlier cookie, including stolen ones.
 */
export function rememberedBrowser(cookie: string | undefined, account: Account): string | undefined {
  return open(cookie).find(({ user, password }) => user === account.id && passwordTags(account).includes(password))
    ?.browser;
}

/** The cookie of a browser that has just signed in: the former cookie with this account first. */
export function rememberBrowser(cookie: string | undefined, account: Account): string {
  const browser = rememberedBrowser(cookie, account) ?? newId();
  const others = open(cookie).filter(({ user }) => user !== account.id);
  const remembered: RememberedBrowsers = [
    { user: account.id, browser, password: passwordTags(account)[0] },
    ...others,
  ].slice(0, ACCOUNTS);
  return seal("known browsers", JSON.stringify(remembered), CONTEXT);
}

function open(cookie: string | undefined): RememberedBrowsers {
  if (!cookie) return [];
  try {
    return rememberedBrowsers.parse(JSON.parse(unseal("known browsers", cookie, CONTEXT)));
  } catch {
    return [];
  }
}

/** Tags that change with the password, under each secret. */
function passwordTags({ id, passwordHash }: Account): [string, ...string[]] {
  const [first, ...others] = keyedHashes("known browsers", `${id} ${passwordHash ?? ""}`).map((hash) =>
    hash.slice(0, 16),
  );
  return [first ?? "", ...others];
}
