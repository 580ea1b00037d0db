import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { makeUser } from "@/tests/support/user";
import { expectGoodLooks } from "./good-looks";
import { holds, openNewKey } from "./keys-page";
import { launchBrowser, newPerson } from "./person";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

async function pickNames(page: Page, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: "Read from a file" }).click(),
  ]);
  await chooser.setFiles(file);
}

const namesField = (page: Page) => page.getByRole("textbox", { name: "Usernames" });

const expectNames = (page: Page, names: string) => expect.poll(() => namesField(page).inputValue()).toBe(names);

test("a list of names is added from a CSV, with a result for each, and revoked", async () => {
  const person = await newPerson(browser);
  const { page } = person;
  const users = [await makeUser(), await makeUser()];
  const keyId = await openNewKey(person);
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  await button("Add many").click();
  const lines = ["username,order", ...users.map(({ username }, n) => `${username},${n}`), "nobody-at-all,7"];
  const csv = { name: "buyers.csv", mimeType: "text/csv", buffer: Buffer.from(lines.join("\r\n")) };
  await pickNames(page, csv);
  await expectNames(page, lines.join("\n"));
  await expectGoodLooks(page);
  await button("Add users").click();
  await page.getByText("2 of 3 users got access.").waitFor();
  await page.getByText("There is no user with this name.").waitFor();
  await expectGoodLooks(page);
  await page.keyboard.press("Enter");
  for (const { username } of users) expect(await holds(username, keyId)).toBe(true);
  await button("Revoke many").click();
  await namesField(page).fill(users.map(({ username }) => username).join(", "));
  await button("Revoke users").click();
  await page.getByText("2 of 2 users lost access.").waitFor();
  for (const { username } of users) expect(await holds(username, keyId)).toBe(false);
});

test("a file that holds no list is refused, and what was typed stays", async () => {
  const person = await newPerson(browser);
  const { page } = person;
  await openNewKey(person);
  await page.getByRole("button", { name: "Add many" }).click();
  await namesField(page).fill("typed");
  const large = { name: "film.csv", mimeType: "text/csv", buffer: Buffer.alloc(100_001, "a\n") };
  await pickNames(page, large);
  await page.getByText("This file is too large for a list of 500 usernames.").waitFor();
  await expectNames(page, "typed");
  await expectGoodLooks(page);
  const small = { ...large, buffer: Buffer.from("first\nsecond") };
  await pickNames(page, small);
  await expectNames(page, "first\nsecond");
  expect(await page.getByText("This file is too large").count()).toBe(0);
  await page.evaluate(() => {
    File.prototype.text = () => Promise.reject(new DOMException("gone", "NotFoundError"));
  });
  await pickNames(page, small);
  await page.getByText("This file can't be read. Pick it again.").waitFor();
  await expectNames(page, "first\nsecond");
  person.expectCalm();
});

test("a new holder is told by whom, until it is read, and of an end within a week", async () => {
  const [creator, holder] = [await newPerson(browser), await newPerson(browser)];
  const keyId = await openNewKey(creator, [holder]);
  const until = new Date(Date.now() + 3 * 86_400_000);
  await db.holder.updateMany({ where: { keyId, userId: holder.id }, data: { until } });
  await holder.page.goto("/keys");
  await holder.page.getByText(`${creator.username} gave you Season pass`).waitFor();
  await holder.page.getByText("Your access to Season pass ends on").waitFor();
  await expectGoodLooks(holder.page);
  await holder.page.getByRole("button", { name: "Mark as read" }).click();
  await holder.page.getByText(`${creator.username} gave you Season pass`).waitFor({ state: "detached" });
  await holder.page.getByText("Your access to Season pass ends on").waitFor();
});
