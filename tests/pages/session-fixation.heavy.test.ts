import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createInvitation } from "@/lib/recovery/invitations";
import { createRecoveryCodes } from "@/lib/recovery/recovery-codes";
import { createRecoveryLink } from "@/lib/recovery/recovery-links";
import { newNetwork } from "@/tests/support/network";
import { makeUser, newUsername, signedIn } from "@/tests/support/user";
import { atThisService } from "./one-time-link";
import { byName, type Holder, leave, newHolder, pressPasskey, signUpByPasskey } from "./passkey-holder";
import { launchBrowser } from "./person";
import { atAccountOf, PASSWORD, signUp } from "./visitor";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const setPassword = async (page: Page) => {
  await page.getByLabel("New password", { exact: true }).fill(PASSWORD);
  return () => press(page, "Set password");
};

/** Goes as far as the last press, which signs the user in. */
type Way = (holder: Holder) => Promise<{ username: string; last: () => Promise<void> }>;

const ways: Record<string, Way> = {
  "a passkey": async (holder) => {
    const username = await signUpByPasskey(holder.page);
    await leave(holder);
    return { username, last: () => pressPasskey(holder) };
  },
  "a new account with a passkey": async ({ page }) => {
    const username = newUsername();
    await page.goto("/signup?next=/account");
    await page.getByLabel("Username").fill(username);
    return { username, last: () => press(page, "Use a passkey instead") };
  },
  "an invitation": async ({ page }) => {
    const username = newUsername();
    const { link } = await atThisService(() => createInvitation({ username, role: "user" }));
    await page.goto(byName(link));
    await press(page, "Continue");
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    return { username, last: () => press(page, "Create account") };
  },
  "a recovery code": async ({ page }) => {
    const { username, ...user } = await makeUser();
    const [code = ""] = await createRecoveryCodes(await signedIn({ username, ...user }), "", newNetwork());
    await page.goto("/recover");
    await page.getByLabel("Username").fill(username);
    await page.getByLabel("Recovery code").fill(code);
    await press(page, "Continue");
    return { username, last: await setPassword(page) };
  },
  "a recovery link": async ({ page }) => {
    const { username } = await makeUser();
    const { link } = await atThisService(() => createRecoveryLink(username));
    await page.goto(byName(link));
    await press(page, "Continue");
    return { username, last: await setPassword(page) };
  },
};

test.each(Object.entries(ways))("%s opens a session of its own, whatever the browser held before", async (_, way) => {
  const stranger = await newHolder(browser);
  const strangersName = await signUp(stranger.page);
  const planted = (await stranger.context.cookies()).filter(({ name }) => name.includes("session-token"));
  expect(planted).toHaveLength(1);

  const holder = await newHolder(browser);
  const { username, last } = await way(holder);
  await holder.context.addCookies(planted);
  await last();
  await atAccountOf(holder.page, username);
  const held = (await holder.context.cookies()).filter(({ name }) => name.includes("session-token"));
  expect(held).toHaveLength(1);
  expect(held[0]?.value).not.toBe(planted[0]?.value);
  await stranger.page.goto("/account");
  await atAccountOf(stranger.page, strangersName);
});
