import { KNOWN_BROWSER_COOKIE, KNOWN_BROWSER_SECONDS, rememberBrowser } from "./known-browsers";
import { ownCookie } from "./own-cookie";

/** The known-browser cookie that this browser sent, if any. */
export async function knownBrowserCookie(): Promise<string | undefined> {
  return (await ownCookie(KNOWN_BROWSER_COOKIE)).value;
}

/**
 * Makes this browser a known browser of the account. `passwordHash` is its current one; without a password there is
 * nothing to guess.
 */
export async function rememberThisBrowser(account: { id: string; passwordHash: string | null }): Promise<void> {
  if (account.passwordHash === null) return;
  const { value, set } = await ownCookie(KNOWN_BROWSER_COOKIE);
  set(rememberBrowser(value, account), KNOWN_BROWSER_SECONDS);
}
