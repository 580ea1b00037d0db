import type { Page } from "playwright";
import { env } from "@/lib/platform/env";
import { ask, origin } from "@/tests/support/http";
import { makeUser, type TestUser } from "@/tests/support/user";
import { press } from "./on-page";
import { hashed, openedSession, PASSWORD } from "./visitor";

export { letProofsPass } from "@/tests/support/signed-in";

/** The dialog that asks for a proof. */
export const identityDialog = (page: Page) => page.getByRole("dialog", { name: "Confirm it's you" });

/** Confirms with the password. */
export async function confirmOn(page: Page, password = PASSWORD): Promise<void> {
  await identityDialog(page).getByLabel("Your password").fill(password);
  await identityDialog(page).getByRole("button", { name: "Confirm", exact: true }).click();
}

/** Makes a link as the admin command of this service would, which has its address. */
export async function atThisService<Made>(make: () => Promise<Made>): Promise<Made> {
  const before = env.NEXTAUTH_URL;
  env.NEXTAUTH_URL = origin;
  try {
    return await make();
  } finally {
    env.NEXTAUTH_URL = before;
  }
}

/** Opens a link, presses the button that sends its secret, and waits until all of this is told there. */
export async function openLink(page: Page, link: string, ...then: Parameters<typeof press>[2][]): Promise<void> {
  await page.goto(link);
  await press(page, "Continue", ...then);
}

/** Somebody who is signed in, without a browser. */
export interface Session extends TestUser {
  cookie: string;
}

/** Signs a user in on this network, and returns the cookie. */
export async function cookieOf(user: { id: string }, network = ""): Promise<string> {
  const { name, value } = await openedSession(user, network);
  return `${name}=${value}`;
}

/** A new user with this role and a password, who has just signed in. */
export async function signedInAs(role: "admin" | "user"): Promise<Session> {
  const user = await makeUser({ role, passwordHash: await hashed });
  return { ...user, cookie: await cookieOf(user) };
}

/** What a page says to whoever has this cookie, before any script of it runs. */
export async function wordsOf(path: string, cookie: string): Promise<string> {
  const { text } = await ask(path, { headers: { Accept: "text/html", Cookie: cookie } });
  return text
    .replace(/<div hidden(?:="")? id="S:.*|<(script|style)\b.*?<\/\1>|<!--.*?-->/gs, "")
    .replace(/<\/?(?:a|bdi|code|span|strong|time)\b[^>]*>/g, "")
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&#x27;", "'")
    .replace(/\s+/g, " ");
}
