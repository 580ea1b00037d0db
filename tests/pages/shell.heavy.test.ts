import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectGoodLooks } from "./good-looks";
import { launchBrowser } from "./person";
import { newMember, newVisitor, signIn, signUp } from "./visitor";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const menuOf = (page: Page) => page.getByLabel(/^Account menu of /);
const accountLink = (page: Page) => page.getByRole("banner").getByRole("link", { name: "Account", exact: true });

describe("the menu of the account", () => {
  test("opens and closes by keyboard and by pointer, and leads to the account", async () => {
    const { page, expectCalm } = await newMember(browser);
    await page.goto("/docs");
    await menuOf(page).focus();
    await page.keyboard.press("Enter");
    await accountLink(page).waitFor();
    await expectGoodLooks(page);
    await page.keyboard.press("Tab");
    expect(await accountLink(page).evaluate((link) => link === document.activeElement)).toBe(true);
    await page.keyboard.press("Escape");
    await accountLink(page).waitFor({ state: "hidden" });
    expect(await menuOf(page).evaluate((menu) => menu === document.activeElement)).toBe(true);

    await menuOf(page).click();
    await accountLink(page).waitFor();
    await page.getByRole("heading", { level: 1 }).click();
    await accountLink(page).waitFor({ state: "hidden" });
    await menuOf(page).click();
    await accountLink(page).click();
    await page.waitForURL("**/account");
    expectCalm();
  });

  test("signs out", async () => {
    const { page } = await newMember(browser);
    await page.goto("/link");
    await menuOf(page).click();
    await page.getByRole("banner").getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Sign in" }).waitFor();
    await page.goto("/account");
    await page.waitForURL("**/signin?next=/account");
  });

  test("says so if the service could not be reached", async () => {
    const { page } = await newMember(browser);
    await page.route("**/api/auth/**", (route) => route.abort());
    await menuOf(page).click();
    await page.getByRole("banner").getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("alert").filter({ hasText: "Sign-out failed." }).waitFor();
  });

  test("leads to the account before any script has loaded", async () => {
    const { context } = await newMember(browser);
    const { page: bare, context: without } = await newVisitor(browser, undefined, { javaScriptEnabled: false });
    await without.addCookies(await context.cookies());
    await bare.goto("/docs");
    await menuOf(bare).click();
    await accountLink(bare).click();
    await bare.waitForURL("**/account");
  });

  test("leaves room for everything in the head of the narrowest phone", async () => {
    const { page } = await newMember(browser);
    await page.setViewportSize({ width: 320, height: 640 });
    await menuOf(page).click();
    await accountLink(page).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    const box = await accountLink(page).boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(320);
  });
});

test("a page that is not there keeps the head of who is signed in, and leads home", async () => {
  const { page, username } = await newMember(browser);
  expect((await page.goto("/no-such-page"))?.status()).toBe(404);
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
  await page.getByLabel(`Account menu of ${username}`).waitFor();
  await page.getByRole("link", { name: "Keys" }).waitFor();
  await expectGoodLooks(page);
  await page.getByRole("link", { name: "Go home" }).click();
  await page.getByRole("heading", { name: `Hello, ${username}` }).waitFor();
});

test("the page of every component is not served here", async () => {
  const { page } = await newVisitor(browser);
  expect((await page.goto("/components"))?.status()).toBe(404);
});

describe("a toast", () => {
  /** The toast of a second browser that was signed out. */
  async function withToast(page: Page) {
    await page.clock.install();
    const username = await signUp(page);
    const { page: elsewhere } = await newVisitor(browser);
    await signIn(elsewhere, username);
    await page.reload();
    await page.getByRole("button", { name: "Sign out other browsers" }).click();
    const toast = page.getByRole("status").getByText("All other browsers have been signed out.");
    await toast.waitFor();
    await page.getByRole("button", { name: "Sign out other browsers" }).waitFor({ state: "detached" });
    return toast;
  }

  test("stays while the pointer or the keyboard is on it, and goes by itself afterwards", async () => {
    const { page, expectCalm } = await newVisitor(browser);
    const toast = await withToast(page);
    await toast.hover();
    await page.clock.fastForward(60_000);
    await toast.waitFor();
    await page.getByRole("button", { name: "Dismiss" }).focus();
    await page.mouse.move(5, 5);
    await page.clock.fastForward(60_000);
    await toast.waitFor();
    await expectGoodLooks(page);
    await page.getByRole("button", { name: "Dismiss" }).blur();
    await page.clock.fastForward(60_000);
    await toast.waitFor({ state: "detached" });
    expectCalm();
  });

  test("moves nothing, and closes by keyboard, which goes back to where it was", async () => {
    const { page } = await newVisitor(browser);
    await page.setViewportSize({ width: 375, height: 740 });
    const toast = await withToast(page);
    const height = () => page.evaluate(() => document.documentElement.scrollHeight);
    const before = await height();
    const reveal = page.getByRole("button", { name: "Reveal" });
    await reveal.focus();
    await page.getByRole("button", { name: "Dismiss" }).focus();
    await page.keyboard.press("Enter");
    await toast.waitFor({ state: "detached" });
    expect(await reveal.evaluate((button) => button === document.activeElement)).toBe(true);
    expect(await height()).toBe(before);
  });
});

describe("the colour scheme", () => {
  const shown = (page: Page) => page.evaluate(() => document.documentElement.dataset.colorScheme);

  test("is the system's until another is chosen, which stays for this browser and its other tabs", async () => {
    const { page, context } = await newVisitor(browser);
    const toggle = page.getByRole("button", { name: "Change between light and dark" });
    await page.emulateMedia({ colorScheme: "dark" });
    await page.goto("/signin");
    expect(await shown(page)).toBe("dark");
    await page.emulateMedia({ colorScheme: "light" });
    await expect.poll(() => shown(page)).toBe("light");

    const other = await context.newPage();
    await other.emulateMedia({ colorScheme: "light" });
    await other.goto("/signin");
    await toggle.click();
    await expect.poll(() => shown(page)).toBe("dark");
    await expect.poll(() => shown(other)).toBe("dark");
    await page.reload();
    expect(await shown(page)).toBe("dark");

    await toggle.click();
    await expect.poll(() => shown(other)).toBe("light");
    await page.emulateMedia({ colorScheme: "dark" });
    await expect.poll(() => shown(page)).toBe("dark");
  });
});
