import { db } from "@/lib/db/client";
import { isLasting } from "@/lib/hours";
import { relyingParty } from "@/lib/passkeys/relying-party";
import { ownCookie } from "./own-cookie";

/** Holds until when the offer is shown: it is made once in a browser. */
const COOKIE = "passkey-offer";
const YEAR_SECONDS = 365 * 24 * 3600;
const SHOWN_MS = 3600_000;

/**
 * After a sign-in with a password: this browser's next pages offer a passkey, unless one was offered here before, or
 * the account has one for this address, or none can be used here.
 */
export async function offerPasskey(userId: string, origin: string, now = new Date()): Promise<void> {
  const party = relyingParty(origin);
  const cookie = await ownCookie(COOKIE);
  if (!party || cookie.value !== undefined) return;
  if ((await db.passkey.count({ where: { userId, host: party.id } })) > 0) return;
  cookie.set(String(now.getTime() + SHOWN_MS), YEAR_SECONDS);
}

/** Whether this browser's pages offer a passkey now. */
export async function isPasskeyOffered(now = new Date()): Promise<boolean> {
  return isLasting(SHOWN_MS, new Date(Number((await ownCookie(COOKIE)).value)), now);
}

/** Ends the offer in this browser for good. */
export async function endPasskeyOffer(): Promise<void> {
  const { value, set } = await ownCookie(COOKIE);
  if (value !== undefined) set("0", YEAR_SECONDS);
}
