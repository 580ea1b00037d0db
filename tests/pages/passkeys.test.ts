import type { Browser } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { leave, newHolder, passkeyRows, pressPasskey, signUpByPasskey } from "./passkey-holder";
import { launchBrowser } from "./person";
import { atAccountOf } from "./visitor";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

test("a passkey alone makes an account and signs in to it", async () => {
  const holder = await newHolder(browser);
  const { page, expectCalm } = holder;
  const username = await signUpByPasskey(page);
  await page.getByRole("heading", { name: "Set a password" }).waitFor();
  expect(await passkeyRows(page).count()).toBe(1);
  await leave(holder);
  await pressPasskey(holder);
  await atAccountOf(page, username);
  await page.getByText(/last used/).waitFor();
  expectCalm();
});
