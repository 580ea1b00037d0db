import { setTimeout } from "node:timers/promises";
import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import { findKey } from "@/lib/keys/access";
import { PAGES } from "@/lib/platform/http/pages";
import { origin } from "@/tests/support/http";
import { makeUser, newUsername } from "@/tests/support/user";
import { expectGoodLooks } from "./good-looks";
import { newKey, tickOf } from "./keys-page";
import { codeFrom } from "./link-program";
import { button, holdBack, press, submit, told } from "./on-page";
import { atAccountOf, newSignedIn, newVisitor, openReady, openSessionIn, submitAccount } from "./visitor";

const shared = await newVisitor();
const { page } = shared;

/** What takes any text: no boxes and no times. */
const TYPED = "main input:is(:not([type]), [type=text], [type=email], [type=password]):visible";

/** Opens a page whose scripts arrive only when the function that it answers is called. */
async function openWithoutScripts(path: string): Promise<() => void> {
  await page.unrouteAll();
  const arrive = await holdBack(page, "**/_next/static/**/*.js");
  await page.goto(path, { waitUntil: "commit" });
  await page.getByRole("heading", { level: 1 }).waitFor();
  return arrive;
}

test("forms that are sent before their script has loaded are sent when it has, and boxes stay ticked", async () => {
  const [person, other] = [await newSignedIn(shared), await makeUser()];
  const id = await newKey(person, { name: "before" });
  let arrive = await openWithoutScripts(`/keys?key=${id}`);
  await submit(page, { Name: " first ", "Add a user": other.username }, "Save");
  // What gives something away waits until presses are checked.
  expect(await button(page, "Add").isDisabled()).toBe(true);
  arrive();
  await page.getByText("Saved.", { exact: true }).waitFor();
  expect((await findKey(person, id)).name).toBe("first");
  await press(page, "Add", `${other.username} now holds the key.`);

  for (const name of ["second", "third"]) await newKey(person, { name });
  arrive = await openWithoutScripts("/keys");
  for (const name of ["first", "second", "third", "third"]) await tickOf(page, name).click();
  arrive();
  await told(page, "2 selected");
  const areTicked = ["first", "second", "third"].map((name) => tickOf(page, name).isChecked());
  expect(await Promise.all(areTicked)).toEqual([true, true, false]);
  await tickOf(page, "third").check();
  await told(page, "3 selected");
  person.expectCalm();
});

test("of buttons pressed before their script has loaded, the last acts, once; what gives a token waits", async () => {
  const { expectCalm } = await newSignedIn(shared);
  const arrive = await openWithoutScripts("/account");
  await press(page, "New token");
  await press(page, "Rotate");
  await button(page, "Rotate").focus();
  await page.keyboard.press("Enter");
  expect(await page.locator("[data-pressed]").textContent()).toBe("Rotate");
  expect(await button(page, "Reveal").isDisabled()).toBe(true);
  arrive();
  await page.getByRole("dialog", { name: "Rotate your token?" }).waitFor();
  expect(await page.locator("[data-pressed]").count()).toBe(0);
  expect(await page.getByRole("dialog").count()).toBe(1);
  expectCalm();
});

test("so are forms for an account", async () => {
  await shared.context.clearCookies();
  const username = newUsername();
  const arrive = await openWithoutScripts("/signup?next=/account");
  await submitAccount(page, "Sign up", username);
  arrive();
  await atAccountOf(page, username);
  shared.expectCalm();
});

test("so is the form to sign up at the link page, though its own script comes last", async () => {
  await shared.context.clearCookies();
  const code = await codeFrom(shared.network);
  await openReady(page, "/link");
  await submit(page, { Code: code }, "Continue");
  await page.getByRole("link", { name: "Sign up" }).click();
  await button(page, "Sign up").waitFor();
  const address = page.url();
  const usual = await scriptsOf("/link");
  const late = (await scriptsOf(address)).filter((script) => !usual.includes(script));
  expect(late.length).toBeGreaterThan(0);
  const arrive = await holdBack(page, ({ pathname }) => late.includes(pathname));
  await page.reload({ waitUntil: "commit" });
  const username = newUsername();
  await submitAccount(page, "Sign up", username);
  arrive();
  await button(page, "Link this program").waitFor();
});

describe("a page that lacks a script", () => {
  test.each([
    ["/signin", "first"],
    ["/keys", "last"],
  ])("%s says so, whichever script fails %s, and what was pressed sends nothing", async (path, when) => {
    await newSignedIn(shared);
    if (path === "/signin") await shared.context.clearCookies();
    await page.unrouteAll();
    const scripts = await scriptsOf(path);
    const loader = scripts.find((script) => script.includes("turbopack"));
    expect(loader).toBeDefined();
    expect(scripts.length).toBeGreaterThan(5);
    for (const missing of scripts) {
      await page.unrouteAll({ behavior: "wait" });
      await (when === "first" ? failFirst(missing, loader) : failLast(missing, scripts));
      await page.goto(path);
      await shownWords(page).waitFor();
      expect(page.url()).toBe(`${origin}${path}`);
    }
    for (const field of await page.locator(TYPED).all()) await field.fill("typed");
    await page.locator("main button:enabled").first().click();
    expect(page.url()).toBe(`${origin}${path}`);
    await expectGoodLooks(page, "html", async () => {
      await page.goto(path);
      await shownWords(page).waitFor();
    });
    await page.unrouteAll({ behavior: "wait" });
    await openReady(page, path);
    expect(await words(page).count()).toBe(0);
  });

  test("says so after ten seconds if none has arrived or none may run, not before, and then no more", async () => {
    await shared.context.clearCookies();
    const arrive = await openWithoutScripts("/signin");
    await wordsAfter(9_900);
    expect(await words(page).isVisible()).toBe(false);
    await wordsAfter(10_100);
    expect(await words(page).isVisible()).toBe(true);
    await submitAccount(page, "Sign in", "nobody-at-all", "wrong password");
    arrive();
    await told(page, "The username or the password is wrong.");
    expect(await words(page).count()).toBe(0);

    await page.unrouteAll();
    await page.route("**/signin", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replaceAll("<script", '<script type="later"') });
    });
    await page.goto("/signin");
    await wordsAfter(10_100);
    expect(await words(page).isVisible()).toBe(true);
    await submitAccount(page, "Sign in", "nobody-at-all", "wrong password");
    await page.getByRole("heading", { name: "This form needs JavaScript" }).waitFor();
    await expectGoodLooks(page);
    await page.unrouteAll();
  });
});

const isAt = (path: string | undefined) => (url: URL) => url.pathname === path;

/** A script fails before what loads the others has run, which then waits for it without end. */
async function failFirst(missing: string, loader: string | undefined): Promise<void> {
  const failed = page.waitForEvent("requestfailed");
  await page.route(isAt(loader), async (route) => {
    await failed;
    await route.fallback();
  });
  await page.route(isAt(missing), (route) => route.abort());
}

/** A script fails when the others have run: what loads them asks for it once more, and then gives it up. */
async function failLast(missing: string, scripts: string[]): Promise<void> {
  const others = scripts.filter((script) => script !== missing);
  const have = others.map((script) => page.waitForEvent("requestfinished", (to) => to.url().endsWith(script)));
  await page.route(isAt(missing), async (route) => {
    await Promise.all(have);
    await setTimeout(300);
    await route.abort();
  });
}

/** The scripts that a page is sent with, as their paths. What its script loads later, it can do without. */
async function scriptsOf(path: string): Promise<string[]> {
  const html = await (await page.goto(path))?.text();
  const tags = html?.match(/<script\b[^>]*>/g)?.filter((tag) => !/\bnomodule\b/i.test(tag)) ?? [];
  const sources = tags.flatMap((tag) => /\bsrc="([^"]+)"/.exec(tag)?.[1] ?? []);
  return [...new Set(sources.map((source) => new URL(source, origin).pathname))];
}

const words = (on: Page) => on.getByText("This page has not loaded completely");
const shownWords = (on: Page) => words(on).filter({ visible: true });

/** Shows the page as it is this long after it was painted. */
const wordsAfter = (ms: number) =>
  page.evaluate((time) => {
    for (const animation of document.getAnimations()) {
      // Otherwise it goes on while a slow machine looks.
      animation.pause();
      animation.currentTime = time;
    }
  }, ms);

describe("without JavaScript", async () => {
  const stranger = await newVisitor(undefined, { javaScriptEnabled: false });
  const { page: plain } = stranger;

  test("forms say so before and after, and keep what was typed out of the address", async () => {
    for (const path of ["/signin", "/signup", "/link", "/recover"]) {
      await plain.goto(path);
      expect((await plain.locator("noscript p").boundingBox())?.height).toBeGreaterThan(20);
      await plain.evaluate(() => {
        for (const animation of document.getAnimations()) animation.finish();
      });
      expect(await words(plain).isVisible()).toBe(false);
      for (const field of await plain.locator(TYPED).all()) await field.fill("typed");
      await plain.locator("main button[type=submit]").first().click();
      await plain.getByRole("heading", { name: "This form needs JavaScript" }).waitFor();
      await told(plain, "Nothing was changed or saved");
      expect(plain.url()).toBe(`${origin}${path}`);
    }
  });

  test("no form of a page has its fields in an address, except searches", async () => {
    await openSessionIn({ ...stranger, page: plain }, await makeUser({ role: "admin" }));
    for (const path of PAGES) {
      await plain.goto(path);
      const forms = await plain.locator("form").evaluateAll((all) =>
        all.map((form) => ({
          method: (form as HTMLFormElement).method,
          isSearch: form.closest("search") !== null,
          action: form.getAttribute("action"),
          secrets: form.querySelectorAll("[type=password], [name=code], [name=token], [name=data]").length,
        })),
      );
      for (const { isSearch, ...form } of forms)
        if (isSearch) expect(form, path).toMatchObject({ method: "get", action: path, secrets: 0 });
        else expect(form, path).toMatchObject({ method: "post", action: null });
    }
  });

  test("the documentation has its samples in every language, and what needs a script is hidden", async () => {
    await plain.setViewportSize({ width: 375, height: 740 });
    await plain.goto("/docs");
    for (const part of ["curl -H", "console.log(body)", "print(json.load(response))"])
      expect(await plain.locator("#keys-create").getByText(part).first().isVisible(), part).toBe(true);
    const index = plain.getByRole("navigation", { name: "Documentation" });
    expect(await index.getByRole("link", { name: "/keys/create" }).isVisible()).toBe(true);
    expect(await button(plain, "Contents").isVisible()).toBe(false);
  });
});
