import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "playwright";

/** A Chromium that starts on this machine: Playwright's own, else an installed one; undefined where there is none. */
export function findBrowser(): string | undefined {
  const installed = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"].map((name) => `/usr/bin/${name}`);
  return [chromium.executablePath(), ...installed, "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"].find(starts);
}

/** A download that lacks system libraries, and Ubuntu's placeholder package, are there but do not start. */
function starts(executable: string): boolean {
  if (!existsSync(executable)) return false;
  try {
    execFileSync(executable, ["--version", "--no-sandbox"], { timeout: 30_000, stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
