import type { Page } from "playwright";
import { expect, test } from "vitest";
import { choose, deleteByKey, row, store } from "./files-page";
import { expectGoodLooks } from "./good-looks";
import { plate } from "./link-program";
import { button, expectFocusOn, heading, press, told } from "./on-page";
import { makeSignedIn, newSignedIn, newVisitor, openReady, untilReady } from "./visitor";

const menuOf = (page: Page) => page.getByLabel(/^Account menu of /);
const accountLink = (page: Page) => page.getByRole("banner").getByRole("link", { name: "Account", exact: true });
const head = (page: Page) => page.getByRole("navigation", { name: "Main" });

test("the menu of the account opens and closes by keyboard and by pointer, leads there, and signs out", async () => {
  const { page, expectCalm } = await newSignedIn();
  await openReady(page, "/docs/guides/command-line");
  await menuOf(page).focus();
  await page.keyboard.press("Enter");
  await accountLink(page).waitFor();
  await expectGoodLooks(page);
  await page.keyboard.press("Tab");
  await expectFocusOn(accountLink(page));
  await page.keyboard.press("Escape");
  await accountLink(page).waitFor({ state: "hidden" });
  await expectFocusOn(menuOf(page));
  await menuOf(page).click();
  await accountLink(page).waitFor();
  await page.getByRole("heading", { level: 1 }).click();
  await accountLink(page).waitFor({ state: "hidden" });
  await page.setViewportSize({ width: 320, height: 640 });
  await menuOf(page).click();
  await accountLink(page).click();
  await page.waitForURL("**/account");
  await untilReady(page);
  await menuOf(page).click();
  expect(await accountLink(page).getAttribute("aria-current")).toBe("page");
  expectCalm();

  await page.route("**/api/auth/**", (route) => route.abort());
  await press(page.getByRole("banner"), "Sign out");
  await page.getByRole("alert").filter({ hasText: "Sign-out failed." }).waitFor();
  await page.unrouteAll();
  await press(page.getByRole("banner"), "Sign out");
  await head(page).getByRole("link", { name: "Sign in" }).waitFor();
  expect((await page.request.get("/account")).url()).toContain("/signin?next=/account");
});

test("the menu leads to the account before any script has loaded", async () => {
  const visitor = await newVisitor(undefined, { javaScriptEnabled: false });
  await makeSignedIn(visitor);
  await visitor.page.goto("/docs/guides/keys");
  await menuOf(visitor.page).click();
  await accountLink(visitor.page).click();
  await visitor.page.waitForURL("**/account");
});

const { page: stranger, expectCalm: expectStrangerCalm } = await newVisitor();

test("the plate of the start page shows the letters of a real code, which a link leads to", async () => {
  await openReady(stranger, "/");
  await expectGoodLooks(stranger);
  const before = await plate(stranger).textContent();
  await press(stranger, "Run it here");
  const href = await stranger.getByRole("link", { name: "Link it" }).getAttribute("href");
  const [, code] = /code=([A-Z]{6})$/.exec(href ?? "") ?? [];
  expect(await plate(stranger).textContent()).toBe(code);
  expect(code).not.toBe(before);
  expectStrangerCalm();
});

test("the documents look good, and no guide scrolls sideways on a phone; so does signing up", async () => {
  await stranger.goto("/signup");
  await stranger.getByLabel("Password", { exact: true }).fill("password");
  await told(stranger, "Very easy to guess");
  await expectGoodLooks(stranger);
  await stranger.goto("/docs");
  await expectGoodLooks(stranger);
  await stranger.goto("/docs/guides/command-line");
  await stranger.setViewportSize({ width: 375, height: 740 });
  for (const guide of ["desktop", "browser", "keys", "backup", "existing-clients"]) {
    const width = await stranger.evaluate(async (address) => {
      const text = await (await fetch(address)).text();
      const main = new DOMParser().parseFromString(text, "text/html").querySelector("main:has(h1)");
      document.querySelector("main")?.replaceWith(main ?? "nothing of it".repeat(100));
      return document.documentElement.scrollWidth;
    }, `/docs/guides/${guide}`);
    expect(width, guide).toBeLessThanOrEqual(375);
  }
});

const member = await newSignedIn();

test("the account page looks good, and its questions; their button closes them and gives the focus back", async () => {
  const { page } = member;
  await openReady(page, "/account");
  await press(page, "Reveal", member.token);
  await expectGoodLooks(page);
  for (const name of ["Rotate", "New token", "Delete account"]) {
    await press(page, name);
    await page.getByRole("dialog").waitFor();
    await expectGoodLooks(page, "dialog[open]");
    await press(page.getByRole("dialog"), "Close this dialog");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await expectFocusOn(button(page, name));
  }
});

test("the head says which page this is, also of pages below its own, and stays on one that is not there", async () => {
  const { page, username } = member;
  for (const [path, name] of [
    ["/keys?list=given", "Keys"],
    ["/docs/guides/keys", "Docs"],
  ] as const) {
    await page.goto(path);
    const marked = head(page).locator("[aria-current]");
    expect(await marked.evaluateAll((all) => all.map((link) => link.ariaLabel))).toEqual([name]);
  }
  const answer = await page.goto("/no-such-page");
  expect(answer?.status()).toBe(404);
  await heading(page, "Page not found");
  // The log has it under this id.
  await told(page, String(answer?.headers()["x-request-id"]));
  await menuOf(page).waitFor();
  await expectGoodLooks(page);
  await page.getByRole("link", { name: "Go home" }).click();
  await heading(page, `Hello, ${username}`);
  await expectGoodLooks(page);
});

test("a page that says itself that it is not there has one head", async () => {
  const { page } = await newVisitor();
  // This service sends no mail.
  expect((await page.goto("/email"))?.status()).toBe(404);
  await heading(page, "Page not found");
  await expect.poll(() => page.locator("header").count()).toBe(1);
  await expectGoodLooks(page);
});

test("times are those of the clocks where they are read", async () => {
  const visitor = await newVisitor(undefined, { timezoneId: "Pacific/Kiritimati" });
  const { page } = visitor;
  await makeSignedIn(visitor);
  await openReady(page, "/account");
  const since = page.getByRole("region", { name: "Where you're signed in" }).locator("time");
  const at = new Date((await since.getAttribute("datetime")) ?? "");
  const there = at.toLocaleString("en-GB", {
    dateStyle: "medium",
    timeStyle: "medium",
    timeZone: "Pacific/Kiritimati",
  });
  await expect.poll(() => since.getAttribute("title")).toContain(`${there} (`);
  expect(await since.allInnerTexts()).toEqual([expect.stringMatching(/^(a moment|\d minutes?) ago$/)]);
  // For the keyboard, and for a finger.
  await since.focus();
  expect(await since.allInnerTexts()).toEqual([there]);
});

test("a toast stays while the pointer or the keyboard is on it, goes by itself, and closes by keyboard", async () => {
  const person = await newSignedIn();
  const { page, context, expectCalm } = person;
  await store(person, "first/", "second/");
  await page.clock.install();
  await openReady(page, "/files");
  const remove = async (name: string) => {
    await choose(page, name);
    await deleteByKey(page);
    const toast = page.getByRole("status").getByText(`${name} deleted.`);
    await toast.waitFor();
    await row(page, name).waitFor({ state: "detached" });
    return toast;
  };
  const dismiss = button(page, "Dismiss");
  const first = await remove("first");
  await first.hover();
  await page.clock.fastForward(60_000);
  await first.waitFor();
  await dismiss.focus();
  await page.mouse.move(5, 5);
  await page.clock.fastForward(60_000);
  await first.waitFor();
  await dismiss.blur();
  await page.clock.fastForward(60_000);
  await first.waitFor({ state: "detached" });

  const second = await remove("second");
  await button(page, "Add").focus();
  await dismiss.focus();
  await page.keyboard.press("Enter");
  await second.waitFor({ state: "detached" });
  await expectFocusOn(button(page, "Add"));
  expectCalm();
  // Its clock would stay with the window.
  await context.close();
});

test("the colour scheme is the system's until another is chosen, which stays in all tabs of this browser", async () => {
  const shown = (on: Page) => on.evaluate(() => document.documentElement.dataset.colorScheme);
  const { page, context } = await newVisitor();
  const toggle = button(page, "Change between light and dark");
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto("/signin");
  expect(await shown(page)).toBe("dark");
  await page.emulateMedia({ colorScheme: "light" });
  await expect.poll(() => shown(page)).toBe("light");
  await toggle.click();
  await expect.poll(() => shown(page)).toBe("dark");

  const other = await context.newPage();
  await other.emulateMedia({ colorScheme: "light" });
  await other.goto("/signin");
  expect(await shown(other)).toBe("dark");
  await toggle.click();
  await expect.poll(() => shown(other)).toBe("light");
});
