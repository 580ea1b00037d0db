import { cookies, headers } from "next/headers";
import { originOf } from "@/lib/platform/network/host";
import { REMEMBERED_BROWSER_COOKIE, REMEMBERED_BROWSER_SECONDS, rememberBrowser } from "./remembered-browser";
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
