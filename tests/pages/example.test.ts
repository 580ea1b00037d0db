import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { allow, approve } from "@/tests/contract/link";
import { origin } from "@/tests/support/http";
import { makeUser } from "@/tests/support/user";
import { launchBrowser } from "./person";

const SERVED: Record<string, string> = { "/link-browser.html": "text/html", "/latchkey.mjs": "text/javascript" };

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

test("examples/link-browser.html links from another origin", async () => {
  const program = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", origin);
    const type = SERVED[pathname];
    // A browser asks for /favicon.ico of its own accord.
    if (!type) return response.writeHead(404).end();
    response.setHeader("Content-Type", type).end(readFileSync(`examples${pathname}`));
  });
  await once(program.listen(0, "127.0.0.1"), "listening");
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(program.address() as AddressInfo).port}/link-browser.html?service=${origin}`);
  await page.getByRole("button", { name: "Sign in with Latchkey" }).click();
  const shown = page.getByRole("status").getByRole("link");
  await expect.poll(() => shown.textContent()).toMatch(/^[A-Z]{6}$/);
  const code = String(await shown.textContent());
  expect(await shown.getAttribute("href")).toBe(`${origin}/link?code=${code}`);
  const user = await makeUser();
  await approve(code, user);
  // It is a web page of another site: its user says once more that it may have the token.
  await allow(code, user, "loopback", new URL(page.url()).origin);
  await page.getByText(`Linked to ${user.username}.`).waitFor();
  await page.close();
  program.close();
});
