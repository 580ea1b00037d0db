import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createKey } from "@/lib/keys/create";
import { findKey } from "@/lib/keys/find";
import { addHolder } from "@/lib/keys/holders";
import { ask } from "@/tests/support/http";
import { makeUser } from "@/tests/support/user";
import { expectGoodLooks } from "./good-looks";
import { launchBrowser, newPerson, type Person } from "./person";
import { openReady } from "./visitor";

const LONG = `${"W".repeat(60)} ${"слово ".repeat(6)}`;

let browser: Browser;
let person: Person;
let page: Page;
let keyId: string;
let givenId: string;

beforeAll(async () => {
  browser = await launchBrowser();
  person = await newPerson(browser);
  page = person.page;
  const other = { ...(await makeUser()), role: "user" };
  keyId = (await createKey(person, { data: "x".repeat(5_000), price: "99999999999999.5", name: LONG })).id;
  await addHolder(person, await findKey(person, keyId), other.username);
  await createKey(person, { data: "x", price: "-1" });
  givenId = (await createKey(other, { data: "x", price: "1", name: LONG })).id;
  await addHolder(other, await findKey(other, givenId), person.username);
});
afterAll(() => browser?.close());

const press = async (...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};

test("the lists", async () => {
  await openReady(page, "/keys");
  await expectGoodLooks(page);
  await page.getByLabel("Select all on this page").check();
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "Add a user" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a user to 2 keys" });
  await expectGoodLooks(page);
  await dialog.getByLabel("Username").fill(person.username);
  await dialog.getByRole("button", { name: "Add to 2 keys" }).click();
  await dialog.getByText("was added to 0 of 2 keys.").waitFor();
  await expectGoodLooks(page);
  await page.goto("/keys?search=nothing%20at%20all");
  await expectGoodLooks(page);
  await openReady(page, "/keys?list=given");
  await page.getByLabel("Select all on this page").check();
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "Leave 1 key" }).click();
  await expectGoodLooks(page);
});

test("the dialog for a new key, with an error in it", async () => {
  await openReady(page, "/keys");
  await page.getByRole("switch", { name: "API" }).check();
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByLabel("Data", { exact: true }).fill("x");
  await page.getByLabel("Price").fill("007");
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByText("The price must be a plain decimal").waitFor();
  await expectGoodLooks(page);
});

test("a key that one manages, with everything opened", async () => {
  await page.goto(`/keys?key=${keyId}`);
  await page.getByRole("button", { name: "Reveal" }).click();
  await page.getByRole("button", { name: "Hide" }).waitFor();
  await page.getByRole("switch", { name: "API" }).check();
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "Change", exact: true }).click();
  await page.getByLabel("Add a user").fill("nobody-of-this-name");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByText("There is no user with this name.").waitFor();
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expectGoodLooks(page);
});

test("a key of somebody else's, and one that is not there", async () => {
  await page.goto(`/keys?key=${givenId}`);
  await expectGoodLooks(page);
  await page.goto("/keys?key=none");
  await expectGoodLooks(page);
});

test("everything is done by keyboard alone", async () => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/keys");
  const focused = (name: string) =>
    page.waitForFunction(
      (wanted) =>
        (document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "").includes(
          wanted,
        ),
      name,
    );
  const tabTo = async (name: string) => {
    for (let steps = 0; steps < 60; steps++) {
      await press("Tab");
      if (
        await page.evaluate(
          (wanted) =>
            (document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "").trim() ===
            wanted,
          name,
        )
      )
        return;
    }
    throw new Error(`The Tab key does not lead to ${name}`);
  };
  await tabTo("New key");
  await press("Enter");
  await page.getByRole("dialog", { name: "New key" }).waitFor();
  await page.keyboard.type("By hand");
  await press("Tab");
  await page.keyboard.type("typed");
  await press("Tab", "Enter");
  await page.getByRole("heading", { name: "By hand" }).waitFor();
  await page.waitForLoadState();
  const made = new URL(page.url()).searchParams.get("key");
  await tabTo("Reveal");
  await press("Enter");
  await page.getByText("typed", { exact: true }).waitFor();
  await tabTo("Delete");
  await press("Enter");
  await page.getByRole("dialog", { name: "Delete this key?" }).waitFor();
  await press("Escape");
  await focused("Delete");
  await press("Enter");
  await page.keyboard.type("By hand");
  await press("Enter");
  await page.getByText("The key has been deleted.").waitFor();
  expect((await ask(`/keys/get/${made}`, { query: { auth: person.token } })).status).toBe(404);
});

test("the browser had no complaint in all this", () => person.expectCalm());

test("blocking somebody, and the list of those who are blocked", async () => {
  await page.goto("/keys?list=given");
  await page.getByRole("button", { name: /^Block/ }).click();
  await page.getByRole("dialog").waitFor();
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "Block only" }).click();
  await page.getByRole("heading", { name: "Blocked" }).waitFor();
  expect(await page.getByRole("button", { name: /^Block/ }).count()).toBe(0);
  await expectGoodLooks(page);
});
