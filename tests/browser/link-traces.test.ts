import type { Browser } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, origin } from "@/tests/support/http";
import { launchBrowser } from "./person";
import { newVisitor, signUp, submitAccount } from "./visitor";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

test("the code is in no address but the program's own, in no Referer, and in no cookie that can be read", async () => {
  const { page, context, network } = await newVisitor(browser);
  const username = await signUp(page);
  await context.clearCookies();
  const code = String((await ask("/link/code", { network })).body?.code);
  const entered: string[] = [];
  page.on("request", async (request) => {
    const { referer = "" } = await request.allHeaders();
    for (const text of [request.url(), referer]) if (text.includes(code)) entered.push(text);
  });

  await page.goto("/docs");
  await page.goto(`/link?code=${code}`);
  await page.waitForURL(`${origin}/link`);
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await page.getByRole("heading", { name: "Sign in to go on" }).waitFor();

  const ticket = (await context.cookies(`${origin}/link`)).find(({ name }) => name === "latchkey_link");
  expect(ticket).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/link" });
  expect(Buffer.from(decodeURIComponent(ticket?.value ?? ""), "base64").toString("latin1")).not.toContain(code);
  expect(await page.evaluate(() => document.cookie)).not.toContain("latchkey_link");

  await submitAccount(page, "Sign in", username);
  await page.getByRole("heading", { name: "Link this program?" }).waitFor();
  await page.getByRole("button", { name: "Deny", exact: true }).click();
  await page.getByRole("heading", { name: "Denied" }).waitFor();
  expect(entered).toEqual([`${origin}/link?code=${code}`]);

  const { entries } = await (await context.newCDPSession(page)).send("Page.getNavigationHistory");
  expect(entries.length).toBeGreaterThan(1);
  expect(entries.filter(({ url }) => url.includes(code))).toEqual([]);
});

test("neither the page with a code in its address nor any other may be framed, cached, or left with a Referer", async () => {
  const { body } = await ask("/link/code");
  for (const path of [`/link?code=${body?.code}`, "/link", "/signin", "/signup?next=/link"]) {
    const { headers } = await ask(path);
    expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    expect(headers).toMatchObject({ "x-frame-options": "DENY", "referrer-policy": "no-referrer", "cache-control": expect.stringContaining("no-store") });
  }
});
