import { chromium } from "playwright";
import { findBrowser } from "@/scripts/install";

/** One for all files of a process. What a file opens in it is closed after its last test. */
export const browser = await chromium.launch({
  executablePath: findBrowser(),
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
