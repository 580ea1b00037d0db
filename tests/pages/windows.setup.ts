import type { BrowserContext } from "playwright";
import { afterAll, afterEach, beforeEach } from "vitest";
import { browser } from "./visitor";

/** The windows that a file's tests share. The others are closed after their test: an open page goes on working. */
let shared = new Set(browser.contexts());
beforeEach(() => {
  shared = new Set(browser.contexts());
});
const close = (stays = (_: BrowserContext) => false) =>
  Promise.all(browser.contexts().map((context) => stays(context) || context.close()));
afterEach(() => close((context) => shared.has(context)));
afterAll(() => close());
