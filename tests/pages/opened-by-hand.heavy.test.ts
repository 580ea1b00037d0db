import type { Browser } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createKey } from "@/lib/keys/create";
import { ask } from "@/tests/support/http";
import { expectGoodLooks } from "./good-looks";
import { launchBrowser, newPerson } from "./person";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

test("an address of the API in a browser is a page with the JSON, raw if one likes", async () => {
  const person = await newPerson(browser);
  const { page, token } = person;
  await createKey(person, { data: `<b>secret</b>${"x".repeat(500)}`, price: "1.5", name: "Pass & <i>" });
  const query = { auth: token };
  const address = `/keys/mine?${new URLSearchParams(query)}`;
  await page.goto(address);
  await page.getByRole("heading", { name: "/keys/mine" }).waitFor();
  expect(await page.content()).not.toContain(token);
  await expectGoodLooks(page);

  const { text } = await ask("/keys/mine", { query });
  const shown = () => page.locator("pre:visible").allInnerTexts();
  expect(await shown()).toEqual([JSON.stringify(JSON.parse(text), null, 2)]);
  await page.getByRole("link", { name: "Raw JSON" }).click();
  await expect.poll(shown).toEqual([text]);
  await page.getByRole("link", { name: "Formatted" }).click();
  await expect.poll(shown).toEqual([JSON.stringify(JSON.parse(text), null, 2)]);
  await page.getByRole("link", { name: "API reference" }).click();
  await page.waitForURL(/\/docs#keys-mine$/);
  expect(await page.evaluate(() => document.referrer)).toBe("");
  const fetched = await page.evaluate((asked) => fetch(asked).then((response) => response.text()), address);
  expect(fetched).toBe(text);
  person.expectCalm();
});
