import type { BrowserContext } from "playwright";

/**
 * Has the pages of this window translated as Chrome does it: each text node is replaced with elements that hold its
 * text, as soon as it is there. The language stays, so that tests find the words.
 */
export const translate = (context: BrowserContext) =>
  context.addInitScript(() => {
    const SKIPPED = "script, style, textarea, font, [translate=no]";
    const translateAll = () => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const texts: Text[] = [];
      while (walker.nextNode()) texts.push(walker.currentNode as Text);
      for (const text of texts) {
        if (text.data.trim() === "" || text.parentElement?.closest(SKIPPED)) continue;
        const font = document.createElement("font");
        font.append(document.createElement("font"));
        font.firstElementChild?.append(text.data);
        text.replaceWith(font);
      }
    };
    addEventListener("latchkey:ready", () => {
      translateAll();
      new MutationObserver(translateAll).observe(document.body, {
        childList: true,
        characterData: true,
        subtree: true,
      });
    });
  });
