import { cookies } from "next/headers";
import { KNOWN_BROWSER_COOKIE, KNOWN_BROWSER_SECONDS, rememberBrowser } from "./known-browsers";

/** The known-browser cookie that this browser sent, if any. */
export async function knownBrowserCookie(): Promise<string | undefined> {
  return (await cookies()).get(KNOWN_BROWSER_COOKIE)?.value;
}

/**
 * Makes this browser a known browser of the account. `passwordHash` is its current one; without a password there is
 * nothing to guess.
 */
export async function rememberThisBrowser(
  account: { id: string; passwordHash: string | null },
  secure: boolean,
): Promise<void> {
  if (account.passwordHash === null) return;
  const options = { httpOnly: true, sameSite: "lax", secure, path: "/", maxAge: KNOWN_BROWSER_SECONDS } as const;
  (await cookies()).set(KNOWN_BROWSER_COOKIE, rememberBrowser(await knownBrowserCookie(), account), options);
}
