import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "playwright";

/** A Chromium that starts on this machine: Playwright's own, or else an installed one; undefined if there is none. */
export function findBrowser(): string | undefined {
  const installed = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"].map(
    (name) => `/usr/bin/${name}`,
  );
  return [chromium.executablePath(), ...installed, "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"].find(
    starts,
  );
}

/** A download without its system libraries, and Ubuntu's placeholder package, exist but do not start. */
function starts(executable: string): boolean {
  if (!existsSync(executable)) return false;
  try {
    execFileSync(executable, ["--version", "--no-sandbox"], { timeout: 30_000, stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
