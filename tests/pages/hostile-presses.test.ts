import type { Page } from "playwright";
import { afterEach, beforeEach, expect, test } from "vitest";
import { db } from "@/lib/platform/db/client";
import { Attack, EVIL_SITE, newSurfer, openWindow, send, signInButton } from "./opener";

// Pages that get a press, or a key, for a window that their visitor has not read. Time is counted in the window, so
// that a slow machine changes nothing.

// EVIL has sent its own code: its window asks for a press, and the button has just appeared.
const surfer = await newSurfer();
let attack: Attack;
let page: Page;
let opened: Page;
beforeEach(async () => {
  attack = await Attack.begin(surfer);
  page = attack.page;
  opened = await openWindow(page);
});
afterEach(() => attack.end());
const sure = () => signInButton(opened, EVIL_SITE);

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

const pressAll = (...how: [count: number, pause: number, stalled?: number]) =>
  opened.evaluate(
    (all) => (Reflect.get(window, "pressAll") as (...how: number[]) => Promise<number[]>)(...(all as number[])),
    how,
  );

const decided = () => db.linkCode.count({ where: { userId: attack.person.id } });

test.each<[string, number, number, number?]>([
  ["one press as it appears", 1, 0],
  ["a double click", 2, 150],
  ["a double click, of which the second half reaches a page that stood still", 2, 0, 600],
  ["the clicks of a game, four a second", 8, 250],
  ["clicks as fast as a script", 200, 5],
])("%s gives nothing", async (_, ...how) => {
  await opened.evaluate(pressEarly);
  const pressing = pressAll(...how);
  await send(page, await attack.codeOf());
  const times = await pressing;
  expect(await decided(), `pressed at ${times.join(", ")} ms`).toBe(0);
  await attack.expectNoToken();
  // Who has read it presses once.
  await sure().click();
  await expect.poll(decided).toBe(1);
});

/** In the window: presses the button right after this event, however busy the machine is. */
const pressAfter = (event: string) =>
  sure().evaluate((one: HTMLButtonElement, type) => {
    const press = () => {
      one.click();
      Object.assign(window, { hasPressed: true });
    };
    addEventListener(type, () => setTimeout(press), { capture: true, once: true });
  }, event);

/** What an opener can do to the window, with a press right after it. */
const DISTURBANCES: Record<string, () => Promise<unknown>> = {
  async "gets the focus"() {
    await pressAfter("focus");
    await opened.evaluate(() => void dispatchEvent(new Event("focus")));
  },
  async "changes its size"() {
    await pressAfter("resize");
    await opened.setViewportSize({ width: 300, height: 300 });
  },
  moves: () =>
    sure().evaluate((one: HTMLButtonElement) => {
      Object.defineProperty(window, "screenX", { get: () => 700, configurable: true });
      one.click();
      Object.assign(window, { hasPressed: true });
    }),
  async "is seen again"() {
    await pressAfter("visibilitychange");
    await opened.evaluate(() => void document.dispatchEvent(new Event("visibilitychange")));
  },
};

test.each(Object.entries(DISTURBANCES))("a press right after the window %s gives nothing", async (_, disturb) => {
  await send(page, await attack.codeOf());
  await sure().click({ trial: true });
  await disturb();
  await expect.poll(() => opened.evaluate(() => Reflect.get(window, "hasPressed"))).toBe(true);
  await sure().click({ trial: true });
  expect(await decided()).toBe(0);
});

test("a key that is held or hammered while the window appears gives nothing", async () => {
  await send(page, await attack.codeOf());
  await sure().waitFor();
  for (let pressed = 0; pressed < 10; pressed++) await opened.keyboard.press(pressed % 2 ? "Enter" : "Space");
  expect(await decided()).toBe(0);
});

test("the button names the site, however small the window is and wherever it is scrolled", async () => {
  await send(page, await attack.codeOf());
  await opened.setViewportSize({ width: 200, height: 120 });
  await sure().scrollIntoViewIfNeeded();
  const isWhole = await sure().evaluate(
    (one) => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight + 1,
  );
  expect(isWhole).toBe(true);
});
