import { db } from "@/lib/platform/db/client";
import { newId } from "@/lib/platform/ids";
import { HOUR_MS, isLasting } from "@/lib/platform/time";
import { relyingParty } from "../../identity/relying-party";
import { ownCookie } from "../../session/cookies";

const PASSKEY_COOKIE = "passkey";
const SHAPE = /^[0-9a-f]{32}$/;

/** The name that this browser's challenges are bound to; empty if it has none, which no challenge is bound to. */
export async function passkeyBrowser(): Promise<string> {
  const value = (await ownCookie(PASSKEY_COOKIE)).value ?? "";
  return SHAPE.test(value) ? value : "";
}

/** The same, for a new challenge: a browser without a name gets one, until it is closed. */
export async function namedPasskeyBrowser(): Promise<string> {
  const existing = await passkeyBrowser();
  if (existing) return existing;
  const name = newId();
  (await ownCookie(PASSKEY_COOKIE)).set(name);
  return name;
}

/** Holds until when the offer is shown: once in a browser. */
const PASSKEY_OFFER_COOKIE = "passkey-offer";
const YEAR_SECONDS = 365 * 24 * 3600;
const OFFER_MS = HOUR_MS;

/**
 * After a sign-in with a password: this browser's next pages offer a passkey, unless one was offered here before, or
 * the account has one for this address, or none can be used here.
 */
export async function offerPasskey(userId: string, origin: string, now = new Date()): Promise<void> {
  const party = relyingParty(origin);
  const cookie = await ownCookie(PASSKEY_OFFER_COOKIE);
  if (!party || cookie.value !== undefined) return;
  if ((await db.passkey.count({ where: { userId, host: party.id } })) > 0) return;
  cookie.set(String(now.getTime() + OFFER_MS), YEAR_SECONDS);
}

/** Whether this browser's pages offer a passkey now. */
export async function isPasskeyOffered(now = new Date()): Promise<boolean> {
  return isLasting(OFFER_MS, new Date(Number((await ownCookie(PASSKEY_OFFER_COOKIE)).value)), now);
}

/** Ends the offer in this browser for good. */
export async function endPasskeyOffer(): Promise<void> {
  const { value, set } = await ownCookie(PASSKEY_OFFER_COOKIE);
  if (value !== undefined) set("0", YEAR_SECONDS);
}
