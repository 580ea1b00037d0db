import axe, { type AxeResults } from "axe-core";
import type { Page } from "playwright";
import { expect } from "vitest";

/** A name that fits nowhere in one line. */
export const LONG_NAME = `${"W".repeat(60)} ${"слово ".repeat(6)}`.trim();

/** No colour changes where anything is, so each scheme is looked at in one size. */
const LOOKS = [
  ["light", { width: 1280, height: 800 }],
  ["dark", { width: 375, height: 740 }],
] as const;

/**
 * Looks at the page on a desktop, light, and on a phone, dark: no scrolling sideways, no word on a button taken apart,
 * one heading of the first level, and no violation of axe-core, which looks at all of a page or at one element of it.
 * The window is as large afterwards as it was. `reopen`: opens a page again that has no script to follow the scheme.
 */
export async function expectGoodLooks(page: Page, within = "html", reopen?: () => Promise<void>): Promise<void> {
  const before = page.viewportSize();
  for (const [colorScheme, size] of LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize(size);
    await reopen?.();
    // A page that failed before it got its theme has no such attribute. While the next step of a page arrives, its
    // title may still be on the way.
    await page.waitForFunction((expected) => {
      const shown = document.documentElement.getAttribute("data-color-scheme");
      return (shown === null || shown === expected) && document.title !== "";
    }, colorScheme);
    const { scrollWidth, ...others } = await page.evaluate(look);
    expect(scrollWidth).toBeLessThanOrEqual(size.width);
    expect(others, `${size.width} px`).toEqual({ title: expect.stringMatching(/Latchkey/), torn: [], headings: 1 });
    expect(await violations(page, within), `${colorScheme}, ${size.width} px`).toEqual([]);
  }
  if (before) await page.setViewportSize(before);
}

/** Runs in the page: waits until nothing moves or fades any more, and says how it looks. */
async function look() {
  const drawn = () => new Promise((resolve) => requestAnimationFrame(resolve));
  await drawn();
  await drawn();
  // In what is folded up, a transition does not end.
  const ending = document.getAnimations().filter(({ effect }) => {
    const isShown = effect instanceof KeyframeEffect && effect.target?.checkVisibility();
    return isShown && Number.isFinite(effect.getComputedTiming().endTime);
  });
  await Promise.allSettled(ending.map(({ finished }) => finished));
  await drawn();
  // Words on buttons that begin on one line and end on another.
  const torn = [...document.querySelectorAll("[class*=button-module][class*=label]")].flatMap((label) => {
    const texts = document.createTreeWalker(label, NodeFilter.SHOW_TEXT);
    const words: string[] = [];
    while (texts.nextNode()) {
      for (const { 0: word, index } of (texts.currentNode.textContent ?? "").matchAll(/[^\s-]+/g)) {
        const range = document.createRange();
        range.setStart(texts.currentNode, index);
        range.setEnd(texts.currentNode, index + word.length);
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) words.push(word);
      }
    }
    return words;
  });
  const { scrollWidth } = document.documentElement;
  return { scrollWidth, title: document.title, torn, headings: document.querySelectorAll("h1").length };
}

/** What axe-core has against the page as it is shown: each rule with the elements that break it. */
async function violations(page: Page, within: string): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const options = '{ resultTypes: ["violations"], preload: false, iframes: false }';
  const found = await page.evaluate<AxeResults["violations"]>(
    `axe.run("${within}", ${options}).then((results) => results.violations)`,
  );
  return found.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`));
}
