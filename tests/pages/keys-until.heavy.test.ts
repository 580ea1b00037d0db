import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { makeUser } from "@/tests/support/user";
import { expectGoodLooks } from "./good-looks";
import { holds, openNewKey, seenBy } from "./keys-page";
import { launchBrowser, newPerson, type Person } from "./person";

let browser: Browser;
let person: Person;
let page: Page;
beforeAll(async () => {
  browser = await launchBrowser();
  person = await newPerson(browser);
  page = person.page;
});
afterAll(() => browser?.close());

const button = (name: string) => page.getByRole("button", { name, exact: true });
const told = (text: string) => page.getByText(text, { exact: true }).waitFor();
const DAY = 86_400_000;
/** As a field for a time has it: the browser's zone is this process's. */
const local = (at: Date) => new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

test("the creator gives access with an end, changes it, and extends it once it is over", async () => {
  const friend = await makeUser();
  const keyId = await openNewKey(person);
  const end = new Date(Math.ceil(Date.now() / DAY) * DAY + 3 * DAY);
  await page.getByLabel("Add a user").fill(friend.username);
  await page.getByLabel("Access ends (optional)").fill(local(new Date(Date.now() - DAY)));
  await button("Add").click();
  await told("The end must be in the future.");
  expect(await holds(friend.username, keyId)).toBe(false);
  await page.getByLabel("Access ends (optional)").fill(local(end));
  await button("Add").click();
  await told(`${friend.username} now holds the key.`);
  expect((await seenBy(friend, keyId))?.users).toMatchObject({ [friend.username]: { until: end.getTime() / 1000 } });
  await expectGoodLooks(page);

  const later = new Date(end.getTime() + 7 * DAY);
  await button(`Change end for ${friend.username}`).click();
  await page.getByRole("dialog").getByLabel("Access ends (optional)").fill(local(later));
  await expectGoodLooks(page);
  await page.keyboard.press("Enter");
  await told(`The end of ${friend.username}'s access was changed.`);
  expect((await seenBy(friend, keyId))?.users).toMatchObject({ [friend.username]: { until: later.getTime() / 1000 } });

  await db.holder.updateMany({ where: { keyId, userId: friend.id }, data: { until: new Date(Date.now() - 60_000) } });
  await page.reload();
  await page.getByText("Ended").waitFor();
  await expectGoodLooks(page);
  await button(`Extend the access of ${friend.username}`).click();
  await page.getByRole("dialog").getByLabel("Access ends (optional)").fill("");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await told(`The end of ${friend.username}'s access was changed.`);
  expect((await seenBy(friend, keyId))?.users).toEqual({ [friend.username]: { time: expect.any(Number) } });
  await page
    .getByText("took the end")
    .or(page.getByText(`added ${friend.username}`))
    .first()
    .waitFor();
});

test("the holder sees when it ends, and that it has ended", async () => {
  const other = await newPerson(browser);
  const keyId = await openNewKey(person, [other]);
  await db.holder.updateMany({ where: { keyId, userId: other.id }, data: { until: new Date(Date.now() + DAY) } });
  await other.page.goto(`/keys?key=${keyId}`);
  await other.page.getByText("Your access ends").waitFor();
  await expectGoodLooks(other.page);
  await db.holder.updateMany({ where: { keyId, userId: other.id }, data: { until: new Date(Date.now() - DAY) } });
  await other.page.reload();
  await other.page.getByText("Your access ended on").waitFor();
  expect(await other.page.getByRole("button", { name: "Reveal" }).count()).toBe(0);
  await expectGoodLooks(other.page);
});
