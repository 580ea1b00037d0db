import axe, { type AxeResults } from "axe-core";
import type { Page } from "playwright";
import { expect } from "vitest";

const SIZES = [
  { width: 1280, height: 800 },
  { width: 375, height: 740 },
];

/**
 * Looks at the page at both sizes, light and dark: no violation of axe-core, no scrolling sideways, no word on a button
 * taken apart, one heading of the first level. `exempt` names rules that the page may break. `onLook` is called at
 * each, such as "dark 375". The window is as large afterwards as it was.
 */
export async function expectGoodLooks(
  page: Page,
  exempt: string[] = [],
  onLook: (look: string) => Promise<void> = async () => {},
): Promise<void> {
  const before = page.viewportSize();
  for (const colorScheme of ["light", "dark"] as const)
    for (const size of SIZES) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.setViewportSize(size);
      await settle(page, colorScheme);
      await onLook(`${colorScheme} ${size.width}`);
      expect(await violations(page, exempt), `${colorScheme}, ${size.width} px`).toEqual([]);
      const { scrollWidth, title } = await page.evaluate(() => ({
        scrollWidth: document.documentElement.scrollWidth,
        title: document.title,
      }));
      expect(scrollWidth).toBeLessThanOrEqual(size.width);
      expect(await tornWords(page), `${size.width} px`).toEqual([]);
      expect(title).toMatch(/Latchkey/);
      expect(await page.getByRole("heading", { level: 1, includeHidden: true }).count()).toBe(1);
    }
  if (before) await page.setViewportSize(before);
}

/** Waits until the page has taken on the colours and nothing moves or fades any more. */
async function settle(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  // A page that failed before it got its theme has no such attribute.
  await page.waitForFunction((expected) => {
    const shown = document.documentElement.getAttribute("data-color-scheme");
    return shown === null || shown === expected;
  }, colorScheme);
  // While the next step of a page arrives, its title may still be on the way.
  await page.waitForFunction(() => document.title !== "");
  await page.evaluate(async () => {
    const drawn = () => new Promise((resolve) => requestAnimationFrame(resolve));
    await drawn();
    await drawn();
    const ending = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
    await Promise.allSettled(ending.map(({ finished }) => finished));
    await drawn();
  });
}

/** What axe-core has against the page as it is shown: each rule with the elements that break it. */
async function violations(page: Page, exempt: string[]): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations: found } = await page.evaluate<AxeResults>("axe.run()");
  return found
    .filter(({ id }) => !exempt.includes(id))
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`));
}

/** Words on buttons that begin on one line and end on another. */
function tornWords(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("[class*=button-module][class*=label]")].flatMap((label) => {
      const texts = document.createTreeWalker(label, NodeFilter.SHOW_TEXT);
      const torn: string[] = [];
      while (texts.nextNode()) {
        for (const { 0: word, index } of (texts.currentNode.textContent ?? "").matchAll(/[^\s-]+/g)) {
          const range = document.createRange();
          range.setStart(texts.currentNode, index);
          range.setEnd(texts.currentNode, index + word.length);
          if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) torn.push(word);
        }
      }
      return torn;
    }),
  );
}
