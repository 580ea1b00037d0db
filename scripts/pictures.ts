// npm run pictures <address>   takes the README's pictures from the service that runs there, signed in as a user made for it

import { randomBytes } from "node:crypto";
import { chromium } from "playwright";
import { findBrowser } from "./browser";

const address = process.argv[2];
if (!address) {
  console.error("Usage: npm run pictures http://localhost:3000");
  process.exit(2);
}

const flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];
const browser = await chromium.launch({ executablePath: findBrowser(), args: flags });
try {
  const page = await browser.newPage({ baseURL: address, viewport: { width: 1280, height: 860 }, deviceScaleFactor: 2, colorScheme: "light" });
  await page.goto("/signup?next=/link");
  await page.getByLabel("Username").fill(`ada-${randomBytes(2).toString("hex")}`);
  await page.getByLabel("Password", { exact: true }).fill(randomBytes(12).toString("base64url"));
  await page.getByRole("button", { name: "Sign up" }).click();
  await page.waitForURL("**/link");

  const { code } = await (await fetch(`${address}/link/code`, { headers: { "User-Agent": "curl/8.5.0" } })).json();
  await page.getByLabel("Code").fill(code);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Link this program" }).waitFor();
  await page.screenshot({ path: "docs/link.png" });
  console.log("Wrote docs/link.png");
} finally {
  await browser.close();
}
