import type { Page } from "playwright";
import { expect, test } from "vitest";
import { choose, deleteByKey, row, store } from "./files-page";
import { expectGoodLooks } from "./good-looks";
import { plate } from "./link-program";
import { button, expectFocusOn, expectToFitInto, heading, press, told } from "./on-page";
import { byName } from "./passkey-holder";
import { makeSignedIn, newSignedIn, newVisitor, openReady, revealedToken, untilReady } from "./visitor";

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
  await accountLink(page).waitFor();
  await expectToFitInto(page, 320);
  const box = await accountLink(page).boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(320);
  await accountLink(page).click();
  await page.waitForURL("**/account");
  await untilReady(page);
  expect(await head(page).locator("[aria-current]").count()).toBe(0);
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
  const { page } = visitor;
  await makeSignedIn(visitor);
  await page.goto("/docs/guides/keys");
  await menuOf(page).click();
  await accountLink(page).click();
  await page.waitForURL("**/account");
});

const member = await newSignedIn();
const { page: stranger } = await newVisitor(undefined, { baseURL: byName() });

test("the start page leads to the documents, to the link page, to signing in and to signing up", async () => {
  await stranger.goto("/");
  for (const [within, name, path] of [
    [stranger, "Read the docs", /^\/docs/],
    [stranger, "Enter a code", /^\/link$/],
    [head(stranger), "Link a program", /^\/link$/],
    [stranger, "Sign in", /^\/signin/],
    [stranger, "Sign up", /^\/signup/],
  ] as const)
    expect(await within.getByRole("link", { name, exact: true }).first().getAttribute("href")).toMatch(path);
  await expectGoodLooks(stranger);
});

test("the plate of the start page turns to the letters of a real code, which a link leads to", async () => {
  const { page, expectCalm } = await newVisitor(undefined, { viewport: { width: 320, height: 640 } });
  await openReady(page, "/");
  const letters = plate(page);
  expect(await letters.textContent()).toBe("KMTRWB");
  const lettersMove = () => letters.evaluate((it) => it.getAnimations({ subtree: true }).length);
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await press(page, "Run it here");
  const href = await page.getByRole("link", { name: "Link it" }).getAttribute("href");
  const [, code] = /code=([A-Z]{6})$/.exec(href ?? "") ?? [];
  expect(await letters.textContent()).toBe(code);
  expect(code).not.toBe("KMTRWB");
  await expect.poll(lettersMove).toBe(0);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await press(page, "Run it here");
  await expect.poll(() => letters.textContent()).not.toBe(code);
  expect(await lettersMove()).toBe(0);
  await expectToFitInto(page, 320);
  expectCalm();
});

test("the documents look good, and no guide scrolls sideways on a phone", async () => {
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

test("so does a password that everybody would guess", async () => {
  await stranger.goto("/signup");
  await stranger.getByLabel("Password", { exact: true }).fill("password");
  await told(stranger, "Very easy to guess");
  await expectGoodLooks(stranger);
});

test("so do the account page with the token shown, and its questions", async () => {
  const { page } = member;
  expect(await revealedToken(page)).toMatch(/^lk_/);
  await expectGoodLooks(page);
  for (const name of ["Rotate", "New token", "Delete account"]) {
    await press(page, name);
    await page.getByRole("dialog").waitFor();
    await expectGoodLooks(page, "dialog[open]");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
  }
});

test("the head says which page this is, also of pages below its own, and stays on one that is not there", async () => {
  const { page, username } = member;
  for (const [path, name] of [
    ["/keys?list=given", "Keys"],
    ["/docs/guides/keys", "Docs"],
  ] as const) {
    const html = await (await page.request.get(path)).text();
    const [links = ""] = /<nav [^>]*aria-label="Main"[\s\S]*?<\/nav>/.exec(html) ?? [];
    const marked = links.match(/<a [^>]*aria-current[^>]*>/g);
    expect(marked).toEqual([expect.stringContaining(`aria-label="${name}"`)]);
  }
  const answer = await page.goto("/no-such-page");
  expect(answer?.status()).toBe(404);
  await heading(page, "Page not found");
  // The log has it under this id.
  await told(page, String(answer?.headers()["x-request-id"]));
  await menuOf(page).waitFor();
  // Its typeface is shown however late it comes: it is not preloaded.
  const loaded = () => page.evaluate(() => [...document.fonts].find((face) => face.status === "loaded")?.display);
  await expect.poll(loaded).toBe("swap");
  await expectGoodLooks(page);
  await page.getByRole("link", { name: "Go home" }).click();
  await heading(page, `Hello, ${username}`);
  await expectGoodLooks(page);
});

test("in the colours of the system, what is current is marked, and what is on differs from what is off", async () => {
  const { page } = member;
  await page.emulateMedia({ forcedColors: "active" });
  await openReady(page, "/keys");
  const outline = (of: string) =>
    page
      .locator(of)
      .first()
      .evaluate((it) => getComputedStyle(it).outlineStyle);
  expect(await outline("nav[aria-label=Main] [aria-current]")).toBe("solid");
  expect(await outline("nav[aria-label=Main] a:not([aria-current])")).toBe("none");
  await openReady(page, "/account");
  const box = page.getByRole("checkbox", { name: "Also rotate my token" });
  const colour = () => box.evaluate((it) => getComputedStyle(it).backgroundColor);
  const off = await colour();
  await box.check();
  await expect.poll(colour).not.toBe(off);
  await page.emulateMedia({ forcedColors: "none" });
});

test("without motion, what a page's own styles animate does not move either", async () => {
  const { page } = member;
  await openReady(page, "/keys");
  const chevron = menuOf(page).locator("svg");
  const duration = () => chevron.evaluate((it) => getComputedStyle(it).transitionDuration);
  await page.emulateMedia({ reducedMotion: "no-preference" });
  expect(await duration()).toBe("0.12s");
  await page.emulateMedia({ reducedMotion: "reduce" });
  expect(await duration()).toBe("0s");
});

test("a dialog closes by its button, and gives the focus back", async () => {
  const { page } = member;
  await openReady(page, "/account");
  await press(page, "New token");
  await press(page.getByRole("dialog"), "Close this dialog");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await expectFocusOn(button(page, "New token"));
});

test("times are those of the clocks where they are read", async () => {
  const visitor = await newVisitor(undefined, { timezoneId: "Pacific/Kiritimati" });
  const { page } = visitor;
  await makeSignedIn(visitor);
  await openReady(page, "/account");
  const since = page.getByRole("region", { name: "Where you're signed in" }).locator("time");
  const at = new Date((await since.getAttribute("datetime")) ?? "");
  const there = new Intl.DateTimeFormat("en-GB", {
    dateStyle: "medium",
    timeStyle: "medium",
    timeZone: "Pacific/Kiritimati",
  });
  await expect.poll(() => since.getAttribute("title")).toContain(`${there.format(at)} (`);
  expect(await since.allInnerTexts()).toEqual([expect.stringMatching(/^(a moment|\d minutes?) ago$/)]);
  // For the keyboard, and for a finger.
  await since.focus();
  expect(await since.allInnerTexts()).toEqual([there.format(at)]);
});

test("a toast stays while the pointer or the keyboard is on it, goes by itself, and closes by keyboard", async () => {
  const person = await newSignedIn();
  const { page, context, expectCalm } = person;
  await store(person, "first/", "second/");
  await page.clock.install();
  await openReady(page, "/files");
  const remove = async (name: string) => {
    await page.setViewportSize({ width: 1280, height: 740 });
    await choose(page, name);
    await deleteByKey(page);
    const toast = page.getByRole("status").getByText(`${name} deleted.`);
    await toast.waitFor();
    await row(page, name).waitFor({ state: "detached" });
    await page.setViewportSize({ width: 375, height: 740 });
    return toast;
  };
  const dismiss = page.getByRole("button", { name: "Dismiss" });
  const first = await remove("first");
  await first.hover();
  await page.clock.fastForward(60_000);
  await first.waitFor();
  await dismiss.focus();
  await page.mouse.move(5, 5);
  await page.clock.fastForward(60_000);
  await first.waitFor();
  await expectGoodLooks(page);
  await dismiss.blur();
  await page.clock.fastForward(60_000);
  await first.waitFor({ state: "detached" });

  const second = await remove("second");
  const height = () => page.evaluate(() => document.documentElement.scrollHeight);
  const before = await height();
  await button(page, "Add").focus();
  await dismiss.focus();
  await page.keyboard.press("Enter");
  await second.waitFor({ state: "detached" });
  await expectFocusOn(button(page, "Add"));
  expect(await height()).toBe(before);
  expectCalm();
  // Its clock would stay with the window.
  await context.close();
});

test("the colour scheme is the system's until another is chosen, which stays in all tabs of this browser", async () => {
  const shown = (on: Page) => on.evaluate(() => document.documentElement.dataset.colorScheme);
  const { page, context } = await newVisitor();
  const toggle = page.getByRole("button", { name: "Change between light and dark" });
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
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(() => shown(page)).toBe("dark");
});
