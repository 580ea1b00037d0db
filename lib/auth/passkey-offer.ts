import { cookies } from "next/headers";
import { db } from "@/lib/db/client";
import { isLasting } from "@/lib/hours";
import { relyingParty } from "@/lib/passkeys/relying-party";

/** Holds until when the offer is shown: it is made once in a browser. */
const COOKIE = "latchkey_passkey_offer";
const YEAR_SECONDS = 365 * 24 * 3600;
const SHOWN_MS = 3600_000;

/**
 * After a sign-in with a password: this browser's next pages offer a passkey, unless one was offered here before, or
 * the account has one for this address, or none can be used here.
 */
export async function offerPasskey(userId: string, origin: string, now = new Date()): Promise<void> {
  const party = relyingParty(origin);
  if (!party || (await cookies()).has(COOKIE)) return;
  if ((await db.passkey.count({ where: { userId, host: party.id } })) > 0) return;
  await remember(String(now.getTime() + SHOWN_MS), origin);
}

/** Whether this browser's pages offer a passkey now. */
export async function isPasskeyOffered(now = new Date()): Promise<boolean> {
  return isLasting(SHOWN_MS, new Date(Number((await cookies()).get(COOKIE)?.value)), now);
}

/** Ends the offer in this browser for good. */
export async function endPasskeyOffer(origin: string): Promise<void> {
  if ((await cookies()).has(COOKIE)) await remember("0", origin);
}

async function remember(value: string, origin: string): Promise<void> {
  const secure = origin.startsWith("https:");
  (await cookies()).set(COOKIE, value, { httpOnly: true, sameSite: "lax", secure, path: "/", maxAge: YEAR_SECONDS });
}
