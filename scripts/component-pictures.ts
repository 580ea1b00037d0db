// npm run pictures:components <address> <folder>: takes pictures of every shared component in every state from `npm run
// dev` running there, light and dark, on a desktop and on a phone

import { join } from "node:path";
import { chromium } from "playwright";
import { findBrowser } from "./browser";

const [address, folder] = process.argv.slice(2);
if (!address || !folder) {
  console.error("Usage: npm run pictures:components http://localhost:3000 <folder>");
  process.exit(2);
}

const flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];
const browser = await chromium.launch({ executablePath: findBrowser(), args: flags });
try {
  for (const colorScheme of ["light", "dark"] as const)
    for (const width of [1280, 375]) {
      const page = await browser.newPage({ baseURL: address, viewport: { width, height: 800 }, colorScheme });
      // The first visit compiles the page.
      const response = await page.goto("/components", { timeout: 120_000 });
      if (response?.status() !== 200) throw new Error(`${address} has no page /components: it must be npm run dev.`);
      await page.getByRole("heading", { name: "Components" }).waitFor();
      await page.evaluate(() => document.fonts.ready);
      const picture = async (name: string, fullPage: boolean) => {
        const path = join(folder, `${name}-${colorScheme}-${width}.png`);
        await page.screenshot({ path, fullPage, animations: "disabled" });
        console.log(`Wrote ${path}`);
      };
      await picture("components", true);
      await page.getByRole("button", { name: "Show toast with Undo" }).click();
      await page.getByText("moved to Letters").waitFor();
      await picture("toast", false);
      await page.getByRole("button", { name: "Open dialog" }).click();
      await page.getByRole("dialog").waitFor();
      await picture("dialog", false);
      await page.close();
    }
} finally {
  await browser.close();
}
