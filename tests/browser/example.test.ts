import { readFileSync } from "node:fs";
import type { Browser } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { origin } from "@/tests/support/http";
import { makeUser } from "@/tests/support/user";
import { approve } from "../contract/link";
import { launchBrowser } from "./person";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

test("examples/link-browser.html links from another origin", async () => {
  const page = await browser.newPage();
  await page.route("http://program.example/**", (route) => {
    const file = new URL(route.request().url()).pathname.slice(1);
    return route.fulfill({ contentType: file.endsWith(".mjs") ? "text/javascript" : "text/html", body: readFileSync(`examples/${file}`) });
  });
  await page.goto(`http://program.example/link-browser.html?service=${origin}`);
  await page.getByRole("button", { name: "Sign in with Latchkey" }).click();
  const shown = page.getByRole("status").getByRole("link");
  await expect.poll(() => shown.textContent()).toMatch(/^[A-Z]{6}$/);
  const code = String(await shown.textContent());
  expect(await shown.getAttribute("href")).toBe(`${origin}/link?code=${code}`);
  const user = await makeUser();
  await approve(code, user);
  await page.getByText(`Linked to ${user.username}.`).waitFor();
  await page.close();
});
