import type { Browser } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createKey } from "@/lib/keys/create";
import { expectGoodLooks } from "./good-looks";
import { openNewKey, seenBy } from "./keys-page";
import { launchBrowser, newPerson } from "./person";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

test("a key is offered, and taken over on the other's page", async () => {
  const [old, next] = [await newPerson(browser), await newPerson(browser)];
  const keyId = await openNewKey(old);
  await old.page.getByLabel("New creator").fill("nobody-there");
  await old.page.getByRole("button", { name: "Offer", exact: true }).click();
  await old.page.getByText("There is no user with this name.").waitFor();
  await old.page.getByLabel("New creator").fill(next.username);
  await old.page.getByRole("button", { name: "Offer", exact: true }).click();
  await old.page.getByRole("button", { name: "Withdraw offer" }).waitFor();
  await expectGoodLooks(old.page);

  await next.page.goto("/keys");
  await next.page.getByRole("heading", { name: "A key is offered to you" }).waitFor();
  await expectGoodLooks(next.page);
  await next.page.getByRole("button", { name: "Accept Season pass" }).focus();
  await next.page.keyboard.press("Enter");
  await next.page.getByText("1 key is yours now.").waitFor();
  expect(await seenBy(next, keyId)).toMatchObject({ creator: next.username, isCreator: true });
  expect(await seenBy(old, keyId)).toMatchObject({ isCreator: false, owned: true });
});

test("an account that is deleted offers its keys first", async () => {
  const [old, next] = [await newPerson(browser), await newPerson(browser)];
  for (const name of ["One", "Two"]) await createKey(old, { data: "x", price: "1", name });
  await old.page.goto("/account");
  await old.page.getByLabel("Offer your 2 keys to").fill(next.username);
  await old.page.getByRole("button", { name: "Offer", exact: true }).click();
  await old.page.getByText(`Offered to ${next.username}.`).waitFor();
  await old.page.getByText("2 keys are offered, and not accepted yet.").waitFor();
  await expectGoodLooks(old.page);
  await next.page.goto("/keys");
  await next.page.getByRole("button", { name: "Decline Two" }).click();
  await next.page.getByText("You declined 1 key.").waitFor();
  await next.page.getByRole("button", { name: "Accept One" }).click();
  await next.page.getByText("1 key is yours now.").waitFor();
});
