import type { Browser } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, origin } from "@/tests/support/http";
import { launchBrowser } from "./person";
import { newMember, submitAccount } from "./visitor";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

test("the code is in no address but the program's own, in no Referer, and in no cookie that can be read", async () => {
  const { page, username, context, network } = await newMember(browser);
  await context.clearCookies();
  const code = String((await ask("/link/code", { network })).body?.code);
  const sent: Promise<string[]>[] = [];
  page.on("request", (request) => {
    // A request that the next page cancelled has no more than its address.
    const seen = request.allHeaders().catch((): Record<string, string> => ({}));
    sent.push(seen.then(({ referer = "" }) => [request.url(), referer]));
  });

  await page.goto("/docs");
  await page.goto(`/link?code=${code}`);
  await page.waitForURL(`${origin}/link`);
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await page.getByRole("heading", { name: "Sign in to continue" }).waitFor();

  const ticket = (await context.cookies(`${origin}/link`)).find(({ name }) => name.includes(".link."));
  expect(ticket).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/link" });
  expect(Buffer.from(decodeURIComponent(ticket?.value ?? ""), "base64").toString("latin1")).not.toContain(code);
  expect(await page.evaluate(() => document.cookie)).not.toContain(ticket?.name);

  await submitAccount(page, "Sign in", username);
  await page.getByRole("heading", { name: /^Link .* to/ }).waitFor();
  await page.getByRole("button", { name: "Deny", exact: true }).click();
  await page.getByRole("heading", { name: "Denied" }).waitFor();
  const texts = (await Promise.all(sent)).flat();
  expect(texts.filter((text) => text.includes(code))).toEqual([`${origin}/link?code=${code}`]);

  const { entries } = await (await context.newCDPSession(page)).send("Page.getNavigationHistory");
  expect(entries.length).toBeGreaterThan(1);
  expect(entries.filter(({ url }) => url.includes(code))).toEqual([]);
});

test("no page may be framed, cached, or left with a Referer, with a code in its address or not", async () => {
  const { body } = await ask("/link/code");
  for (const path of [`/link?code=${body?.code}`, "/link", "/signin", "/signup?next=/link"]) {
    const { headers } = await ask(path);
    expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    expect(headers).toMatchObject({
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      "cache-control": expect.stringContaining("no-store"),
    });
  }
});
