import type { Download, Locator, Page, Request } from "playwright";
import { expect } from "vitest";

type Place = Page | Locator;
type Words = string | RegExp;

export const button = (on: Place, name: string) => on.getByRole("button", { name, exact: true });

/** Presses a button, and waits until all of this is told there. */
export async function press(on: Place, name: string, ...then: Words[]): Promise<void> {
  await button(on, name).click();
  await told(on, ...then);
}

/** Waits for the sentences of which these are parts. */
export async function told(on: Place, ...sentences: Words[]): Promise<void> {
  for (const words of sentences) await on.getByText(words).first().waitFor();
}

export const heading = (on: Place, name: string) => on.getByRole("heading", { name, exact: true }).waitFor();

/** Presses a button that leads to this heading. */
export async function pressTo(on: Place, name: string, title: string): Promise<void> {
  await press(on, name);
  await heading(on, title);
}

export const expectFocusOn = (element: Locator) =>
  expect.poll(() => element.evaluate((one) => one === document.activeElement)).toBe(true);

/** What the element that has the keyboard is called. */
export const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : element?.textContent;
    return (element?.getAttribute("aria-label") ?? label)?.replace("*", "").trim();
  });

/** Presses a button with the Enter key, as soon as it can be used. */
export async function pressByKey(on: Place, name: string): Promise<void> {
  await button(on, name).click({ trial: true });
  await button(on, name).press("Enter");
}

const isUsable = (page: Page) => page.evaluate(() => document.activeElement?.ariaDisabled !== "true");

/** Goes on with the Tab key until the focus is on this, and waits until it can be used. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let steps = 0; steps < 60; steps++) {
    if ((await focused(page)) === name) return expect.poll(() => isUsable(page)).toBe(true);
    await page.keyboard.press("Tab");
  }
  throw new Error(`The Tab key does not lead to ${name}`);
}

/** The file that comes when `act` is done. */
export async function downloaded(page: Page, act: () => Promise<void>): Promise<Download> {
  const [download] = await Promise.all([page.waitForEvent("download"), act()]);
  return download;
}

/** The window, or tab, that appears when `act` is done. */
export async function windowOf(page: Page, act: () => Promise<unknown>): Promise<Page> {
  const [opened] = await Promise.all([page.context().waitForEvent("page"), act()]);
  return opened;
}

/** A promise that waits until `open` is called. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Keeps requests waiting until the function that it answers is called. */
export async function holdBack(
  page: Page,
  addresses: Parameters<Page["route"]>[0],
  isMeant = (_: Request) => true,
): Promise<() => void> {
  const { opened, open } = gate();
  await page.route(addresses, async (route) => {
    if (isMeant(route.request())) await opened;
    await route.fallback();
  });
  return open;
}

export const expectToFitInto = async (page: Page, width: number) =>
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);

type Fields = Record<string, string>;

/** Fills in these fields, by their labels. */
export async function fillIn(on: Place, fields: Fields): Promise<void> {
  for (const [label, text] of Object.entries(fields)) await on.getByLabel(label, { exact: true }).fill(text);
}

/** The same, presses a button, and waits until all of this is told there. */
export async function submit(on: Place, fields: Fields, name: string, ...then: Words[]): Promise<void> {
  await fillIn(on, fields);
  await press(on, name, ...then);
}

/** The same with the Enter key in the last field, as soon as its button can be pressed. */
export async function enterInto(on: Place, fields: Fields, ...then: Words[]): Promise<void> {
  await fillIn(on, fields);
  const field = on.getByLabel(Object.keys(fields).at(-1) ?? "", { exact: true });
  await field.locator("xpath=ancestor::form//button[@type='submit']").first().click({ trial: true });
  await field.press("Enter");
  await told(on, ...then);
}

/** Presses these keys, one after another. */
export async function pressKeys(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}
