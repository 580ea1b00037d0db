import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createKey } from "@/lib/keys/create";
import { newUsername } from "@/tests/support/user";
import { expectGoodLooks } from "./good-looks";
import { holds, openNewKey } from "./keys-page";
import { launchBrowser, newPerson, type Person } from "./person";
import { openReady, submitAccount } from "./visitor";

let browser: Browser;
let creator: Person;
let page: Page;
beforeAll(async () => {
  browser = await launchBrowser();
  creator = await newPerson(browser);
  page = creator.page;
});
afterAll(() => browser?.close());

const button = (on: Page, name: string) => on.getByRole("button", { name, exact: true });
const told = (text: string) => page.getByText(text, { exact: true }).waitFor();

async function createLink(note: string, days?: string): Promise<string> {
  await button(page, "Create links").click();
  const dialog = page.getByRole("dialog");
  if (days !== undefined) {
    await dialog.getByLabel("Access ends").check();
    await dialog.getByLabel("Days of access").fill(days);
  }
  await dialog.getByLabel("Note (optional)").fill(note);
  await button(page, "Create").click();
  const link = await dialog.getByRole("code").or(dialog.locator("code")).first().textContent();
  await expectGoodLooks(page);
  await button(page, "Done").click();
  return String(link);
}

test("a link is made, opened, and accepted once; its creator sees who accepted", async () => {
  const holder = await newPerson(browser);
  const keyId = await openNewKey(creator);
  await button(page, "Create links").click();
  await page.getByLabel("Number of links").fill("0");
  await button(page, "Create").click();
  await page.getByText("must be a whole number from 1 to 10,000").waitFor();
  await expectGoodLooks(page);
  await button(page, "Cancel").click();
  const link = await createLink("order 1234", "30");
  expect(link).toMatch(/^http:\/\/\S+\/claim#[\w-]{43}$/);
  expect(await page.content()).not.toContain(link.split("#")[1]);

  const addresses: string[] = [];
  holder.page.on("request", (request) => addresses.push(request.url()));
  await holder.page.goto(link);
  await holder.page.getByRole("heading", { name: "Someone has a key for you" }).waitFor();
  await expectGoodLooks(holder.page);
  await button(holder.page, "Continue").click();
  await holder.page.getByRole("heading", { name: "Season pass" }).waitFor();
  await holder.page.getByText("Access lasts 30 days").waitFor();
  await expectGoodLooks(holder.page);
  expect(await holds(holder.username, keyId)).toBe(false);
  await button(holder.page, "Accept").focus();
  await holder.page.keyboard.press("Enter");
  await holder.page.getByText("Your access ends").waitFor();
  expect(await holds(holder.username, keyId)).toBe(true);
  expect(addresses.join(" ")).not.toContain(link.split("#")[1]);

  await holder.page.goto(link);
  await button(holder.page, "Continue").click();
  await holder.page.getByText("You have already accepted with this link.").waitFor();
  await expectGoodLooks(holder.page);

  const late = await newPerson(browser);
  await late.page.goto(link);
  await button(late.page, "Continue").click();
  await late.page.getByRole("heading", { name: "This link doesn't work" }).waitFor();
  await expectGoodLooks(late.page);

  await page.reload();
  await page.getByText("order 1234").first().waitFor();
  expect(await page.getByRole("table", { name: "Claim links" }).textContent()).toContain(holder.username);
  await page.getByText("accepted the key with a claim link").waitFor();
  await expectGoodLooks(page);
});

test("somebody without an account signs up on the way, and comes back to the link", async () => {
  const key = await createKey(creator, { data: "x", price: "1", name: "Welcome" });
  await page.goto(`/keys?key=${key.id}`);
  const link = await createLink("");
  const context = await browser.newContext({ baseURL: new URL(link).origin });
  const visitor = await context.newPage();
  await visitor.goto(link);
  await button(visitor, "Continue").click();
  await visitor.getByText("To accept it, you need an account here.").waitFor();
  await expectGoodLooks(visitor);
  await visitor.getByRole("link", { name: "Create an account", exact: true }).last().click();
  const username = newUsername();
  await visitor.getByLabel("Username").fill(username);
  await visitor.getByLabel("Password", { exact: true }).fill("correct horse battery");
  await button(visitor, "Sign up").click();
  await visitor.getByRole("heading", { name: "Someone has a key for you" }).waitFor();
  await button(visitor, "Continue").click();
  await button(visitor, "Accept").click();
  await visitor.getByText("You will no longer be able to read its data").waitFor();
  expect(await holds(username, key.id)).toBe(true);
  await context.close();
});

test("somebody who signs in from the head comes back to the link; its secret is in no address", async () => {
  const holder = await newPerson(browser);
  await holder.context.clearCookies();
  const key = await createKey(creator, { data: "x", price: "1", name: "By the head" });
  await page.goto(`/keys?key=${key.id}`);
  const link = await createLink("");
  const addresses: string[] = [];
  holder.page.on("request", (request) => addresses.push(`${request.url()} ${request.postData()}`));
  await openReady(holder.page, link);
  await holder.page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Sign in" }).click();
  await submitAccount(holder.page, "Sign in", holder.username);
  await holder.page.waitForURL("**/claim");
  expect(addresses.join(" ")).not.toContain(link.split("#")[1]);
  await button(holder.page, "Continue").click();
  await button(holder.page, "Accept").click();
  await holder.page.getByText("You will no longer be able to read its data").waitFor();
});

test("many links are downloaded as CSV, and ended, one or all", async () => {
  await openNewKey(creator);
  await button(page, "Create links").click();
  await page.getByLabel("Number of links").fill("10000");
  await button(page, "Create").click();
  await page.getByText("10,000 links have been created.").waitFor();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page
      .getByRole("button", { name: "Download as CSV" })
      .or(page.getByRole("link", { name: "Download as CSV" }))
      .click(),
  ]);
  const lines = readFileSync(String(await download.path()), "utf8").split("\r\n");
  expect(lines).toHaveLength(10_002);
  expect(lines[1]).toMatch(/^1,http:\/\/\S+\/claim#[\w-]{43},,/);
  await button(page, "Done").click();
  await button(page, "End 10,000 links").click();
  await page.getByLabel("Only the link with this number (optional)").fill("20000");
  await button(page, "End links").click();
  await told("These links have the numbers 1 to 10000.");
  await expectGoodLooks(page);
  await page.getByLabel("Only the link with this number (optional)").fill("7");
  await button(page, "End links").click();
  await told("1 link has been ended.");
  await button(page, "End 10,000 links").click();
  await button(page, "End links").click();
  await told("9,999 links have been ended.");
  await page.getByText("Ended", { exact: true }).waitFor();
});
