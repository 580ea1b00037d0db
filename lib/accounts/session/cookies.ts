import { cookies, headers } from "next/headers";
import { db } from "@/lib/platform/db/client";
import { newId } from "@/lib/platform/ids";
import { originOf } from "@/lib/platform/network/host";
import { HOUR_MS, isLasting } from "@/lib/platform/time";
import { relyingParty } from "../identity/relying-party";
import { REMEMBERED_BROWSER_COOKIE, REMEMBERED_BROWSER_SECONDS, rememberBrowser } from "../ways-in/sign-in";
import { cookieAt } from "./session-cookie";

/** A cookie of the browser whose request this is: its value, and how to set another value. */
export async function ownCookie(named: string, path?: string) {
  const [jar, requestHeaders] = await Promise.all([cookies(), headers()]);
  const { name, options } = cookieAt(originOf({ headers: requestHeaders }), named, path);
  return {
    value: jar.get(name)?.value,
    /** `maxAge` in seconds; without one, until the browser is closed. */
    set: (value: string, maxAge?: number) => void jar.set(name, value, { ...options, maxAge }),
    remove: () => void jar.set(name, "", { ...options, maxAge: 0 }),
  };
}

/** The cookie by which this browser is remembered, if any. */
export async function rememberedBrowserCookie(): Promise<string | undefined> {
  return (await ownCookie(REMEMBERED_BROWSER_COOKIE)).value;
}

/**
 * Remembers this browser as one of the account. `passwordHash` is its current one; without a password there is
 * nothing to guess.
 */
export async function rememberThisBrowser(account: { id: string; passwordHash: string | null }): Promise<void> {
  if (account.passwordHash === null) return;
  const { value, set } = await ownCookie(REMEMBERED_BROWSER_COOKIE);
  set(rememberBrowser(value, account), REMEMBERED_BROWSER_SECONDS);
}

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
