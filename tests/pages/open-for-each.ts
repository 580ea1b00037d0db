import type { Browser } from "playwright";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { launchBrowser } from "./person";
import type { Visitor } from "./visitor";

/**
 * Opens a browser for this file's tests, and before each of them a window of somebody's, which closes after it. The
 * file takes what it needs of both.
 */
export function openForEach<Opened extends Visitor>(
  open: (browser: Browser) => Promise<Opened>,
  take: (opened: Opened, browser: Browser) => void | Promise<void>,
): void {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    const opened = await open(browser);
    await take(opened, browser);
    return () => opened.context.close();
  });
}
