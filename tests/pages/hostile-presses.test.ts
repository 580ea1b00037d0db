import { setTimeout as sleep } from "node:timers/promises";
import type { Locator, Page } from "playwright";
import { expect, test } from "vitest";
import { db } from "@/lib/platform/db/client";
import { button } from "./on-page";
import { Attack, EVIL, EVIL_SITE, GAME, GAME_SITE, openSite, openWindow, send, signInButton } from "./opener";

// Pages that get a press, or a key, for a window that their visitor has not read. Time is counted in the window, so
// that a slow machine changes nothing.

/** EVIL has sent its own code: its window asks for a press, and the button has just appeared. */
async function attackedWindow() {
  const attack = await Attack.begin();
  const page = await openSite(attack.person, EVIL);
  const opened = await openWindow(page);
  await opened.addInitScript(pressEarly);
  return { attack, page, opened };
}

/**
 * In a window: presses the button that gives access as soon as it is there, and so often, with so many milliseconds
 * between, as a person would who presses the same place in a game. `stalled`: so long the page stands still before each
 * further press. Returns when it pressed.
 */
async function pressEarly(): Promise<void> {
  Object.assign(window, {
    pressAll: async (count: number, pause: number, stalled = 0) => {
      const find = () => document.querySelector<HTMLButtonElement>("button[value=approve]");
      while (!find()) await new Promise((resolve) => requestAnimationFrame(resolve));
      const times: number[] = [];
      for (let pressed = 0; pressed < count; pressed++) {
        find()?.click();
        times.push(Math.round(performance.now()));
        await new Promise((resolve) => setTimeout(resolve, pause));
        for (const until = performance.now() + stalled; performance.now() < until; );
      }
      return times;
    },
  });
}

const pressAll = (opened: Page, ...how: [count: number, pause: number, stalled?: number]) =>
  opened.evaluate(
    (all) => (Reflect.get(window, "pressAll") as (...how: number[]) => Promise<number[]>)(...(all as number[])),
    how,
  );

const isUndecided = async ({ id }: { id: string }, times: number[] = []) =>
  expect(await db.linkCode.count({ where: { userId: id } }), `pressed at ${times.join(", ")} ms`).toBe(0);

test.each<[string, number, number, number?]>([
  ["one press as it appears", 1, 0],
  ["a double click", 2, 150],
  ["a double click, of which the second half reaches a page that stood still", 2, 0, 600],
  ["the clicks of a game, four a second, for five seconds", 20, 250],
  ["clicks as fast as a script", 200, 5],
])("%s gives nothing", async (_, ...how) => {
  const { attack, page, opened } = await attackedWindow();
  await opened.evaluate(pressEarly);
  const pressing = pressAll(opened, ...how);
  await send(page, await attack.codeOf(page));
  await isUndecided(attack.person, await pressing);
  await attack.expectNoToken();
  // Who has read it presses once.
  await signInButton(opened, EVIL_SITE).click();
  await expect.poll(() => db.linkCode.count({ where: { userId: attack.person.id } })).toBe(1);
});

/** In the window: presses this button right after this event, however busy the machine is. */
const pressAfter = (sure: Locator, event: string) =>
  sure.evaluate((one: HTMLButtonElement, type) => {
    const press = () => {
      one.click();
      Object.assign(window, { hasPressed: true });
    };
    addEventListener(type, () => setTimeout(press), { capture: true, once: true });
  }, event);

/** What an opener can do to the window, with a press right after it. */
const DISTURBANCES: [string, (opened: Page, sure: Locator) => Promise<unknown>][] = [
  [
    "gets the focus",
    async (opened, sure) => {
      await pressAfter(sure, "focus");
      await opened.evaluate(() => void dispatchEvent(new Event("focus")));
    },
  ],
  [
    "changes its size",
    async (opened, sure) => {
      await pressAfter(sure, "resize");
      await opened.setViewportSize({ width: 300, height: 300 });
    },
  ],
  [
    "moves",
    (_, sure) =>
      sure.evaluate((one: HTMLButtonElement) => {
        Object.defineProperty(window, "screenX", { get: () => 700, configurable: true });
        one.click();
        Object.assign(window, { hasPressed: true });
      }),
  ],
  [
    "is seen again",
    async (opened, sure) => {
      await pressAfter(sure, "visibilitychange");
      await opened.evaluate(() => void document.dispatchEvent(new Event("visibilitychange")));
    },
  ],
];

test.each(DISTURBANCES)("a press right after the window %s gives nothing", async (_, disturb) => {
  const { attack, page, opened } = await attackedWindow();
  await send(page, await attack.codeOf(page));
  const sure = signInButton(opened, EVIL_SITE);
  await sure.click({ trial: true });
  await disturb(opened, sure);
  await expect.poll(() => opened.evaluate(() => Reflect.get(window, "hasPressed"))).toBe(true);
  await sure.click({ trial: true });
  await isUndecided(attack.person);
  await attack.expectNoToken();
});

test("a key that is held or hammered while the window appears gives nothing", async () => {
  const { attack, page, opened } = await attackedWindow();
  await send(page, await attack.codeOf(page));
  await signInButton(opened, EVIL_SITE).waitFor();
  for (let pressed = 0; pressed < 10; pressed++) await opened.keyboard.press(pressed % 2 ? "Enter" : "Space");
  await isUndecided(attack.person);
  await attack.expectNoToken();
});

test("what somebody types in a window that has just come to the front decides nothing", async () => {
  const attack = await Attack.begin();
  const { code } = await attack.code();
  const page = await openSite(attack.person, EVIL);
  const opened = await openWindow(page, `/link?code=${code}`);
  const box = opened.getByRole("checkbox", { name: /^Yes, / });
  await button(opened, "Link this program").click({ trial: true });
  // A game of keys, and at the right moment the window is in front.
  await opened.evaluate(() => {
    const checkbox = document.querySelector<HTMLInputElement>("input[type=checkbox]");
    dispatchEvent(new Event("blur"));
    dispatchEvent(new Event("focus"));
    checkbox?.focus();
    checkbox?.click();
    checkbox?.form?.querySelector<HTMLButtonElement>("button[value=approve]")?.click();
  });
  expect(await box.isChecked()).toBe(true);
  await isUndecided(attack.person);
  await attack.expectNoToken();
});

test("a window that the opener loads again has no button that works before its script", async () => {
  const { attack, page, opened } = await attackedWindow();
  await send(page, await attack.codeOf(page));
  await signInButton(opened, EVIL_SITE).click({ trial: true });
  await opened.route("**/_next/static/**/*.js", async (route) => {
    await sleep(700);
    await route.continue();
  });
  await page.evaluate((address) => {
    (Reflect.get(window, "opened") as Window).location.href = address;
  }, new URL("/link", opened.url()).href);
  await opened.waitForURL("**/link", { waitUntil: "commit" });
  const early = opened.locator("button[value=approve]");
  await early.waitFor();
  expect(await early.isDisabled()).toBe(true);
  await early.evaluate((one: HTMLButtonElement) => one.click());
  await early.evaluate((one: HTMLButtonElement) => one.form?.requestSubmit());
  await signInButton(opened, EVIL_SITE).click({ trial: true });
  await isUndecided(attack.person);
  await attack.expectNoToken();
});

test("the button names the site, however small the window is and wherever it is scrolled", async () => {
  const { attack, page, opened } = await attackedWindow();
  await send(page, await attack.codeOf(page));
  await opened.setViewportSize({ width: 200, height: 120 });
  const sure = signInButton(opened, EVIL_SITE);
  await sure.scrollIntoViewIfNeeded();
  expect(await sure.textContent()).toBe(`Sign in to ${EVIL_SITE}`);
  const isWhole = await sure.evaluate(
    (one) => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight + 1,
  );
  expect(isWhole).toBe(true);
  await attack.expectNoToken();
});

test("a window in which the opener puts its own question is another one, in the half second too", async () => {
  const attack = await Attack.begin();
  const game = await openSite(attack.person, GAME);
  const trusted = await openWindow(game);
  await send(game, await attack.codeOf(game));
  await signInButton(trusted, GAME_SITE).waitFor();
  await trusted.close();
  const page = await openSite(attack.person, EVIL);
  const opened = await openWindow(page);
  await opened.evaluate(pressEarly);
  const pressing = pressAll(opened, 3, 100);
  await send(page, await attack.codeOf(page));
  const times = await pressing;
  await signInButton(opened, EVIL_SITE).waitFor();
  await isUndecided(attack.person, times);
  await attack.expectNoToken();
});

test("letters that a page opens with its own code ignore early presses, too", async () => {
  const attack = await Attack.begin();
  const page = await openSite(attack.person, EVIL);
  const { code } = await attack.codeOf(page);
  const opened = await openWindow(page, `/link?code=${code}`);
  await opened.evaluate(pressEarly);
  await isUndecided(attack.person, await pressAll(opened, 10, 100));
  await button(opened, "Deny").click();
  await attack.expectNoToken();
});
