import { z } from "zod";
import { requireFreeSpace } from "@/lib/platform/db/free-space";
import { env } from "@/lib/platform/env";
import { ApiError, rateLimited } from "@/lib/platform/errors";
import { networkLimiter } from "@/lib/platform/limits/limits";
import { limitedAs } from "@/lib/platform/network/network";
import type { NetworkContext } from "../context";
import { passkeyRefused } from "../errors";
import { usernameKey } from "../identity/user";
import { type Account, createUser, type NewUser } from "./create";
import { verifyRegistration } from "./passkeys/add";
import type { PasskeyContext } from "./passkeys/challenge";

/** Accounts stay: a day has room for this many full hours. */
const HOURS_A_DAY = 2;
const signUps = [
  networkLimiter("sign-ups", env.SIGNUPS_PER_HOUR, { seconds: 3_600 }),
  networkLimiter("sign-ups of a day", HOURS_A_DAY * env.SIGNUPS_PER_HOUR, { seconds: 24 * 3_600 }),
];

/**
 * The action of the sign-up page: `createUser` if sign-up is open, rate-limited by network. Also throws 403
 * `signup_closed`, 429 `rate_limited` and 507 `storage_full`.
 */
export async function signUp(account: Account, { network, now }: NetworkContext): Promise<NewUser> {
  requireOpenSignUp();
  if (network.kind === "remote" || network.kind === "shared") {
    for (const limit of signUps) {
      const { allowed, retryAfter } = await limit.consume(limitedAs(network).id);
      if (!allowed) throw rateLimited(retryAfter, "Too many accounts were created from this network. Try again later.");
    }
  }
  await requireFreeSpace();
  return createUser({ ...account, network }, now);
}

/** Throws 403 `signup_closed` if only the operator creates accounts. */
export function requireOpenSignUp(): void {
  if (!env.ALLOW_SIGNUP)
    throw new ApiError(
      403,
      "signup_closed",
      "Sign-up is closed here. Ask the operator of this service for an account.",
    );
}

/** The subject of a challenge for signing up: a name, and the id of the account that will have it. */
export const newcomer = (username: string, userId: string) => `${userId} ${usernameKey(username)}`;

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
